import { expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { grantConsent } from './authorization-flow.js';
import { createAccount } from './factories.js';
import { findFreePort } from './server-process.js';
import { TestServer } from './test-server.js';
import { type PageResponse, BrowserClient } from './browser-client.js';

/** The service where it says it is, at a path or at none: a stock client takes no other issuer than the one it asks. */
export async function startIssuer(path = ''): Promise<TestServer> {
  const port = String(await findFreePort());
  return TestServer.start({ PORT: port, BASE_URL: `http://127.0.0.1:${port}${path}` });
}

/** A person with a browser, whom an app sends to the service by the addresses that its client makes. */
export class ResourceOwner {
  private constructor(
    readonly account: Account,
    private readonly browser: BrowserClient,
  ) {}

  static async create(server: TestServer): Promise<ResourceOwner> {
    return new ResourceOwner(await createAccount(server), new BrowserClient(server));
  }

  /** Signs in and allows all that is asked. @returns where the app hears of it */
  async signInAndGrantConsent(url: URL | string): Promise<URL> {
    return this.grantConsent(await this.signIn(url));
  }

  /** Allows all that is asked, being signed in. @returns where the app hears of it */
  async grantConsent(url: URL | string): Promise<URL> {
    return parseRedirectUrl(await grantConsent(this.browser, toPath(url)));
  }

  /** Signs in and denies it. @returns where the app hears of it */
  async signInAndDenyConsent(url: URL | string): Promise<URL> {
    const page = await this.browser.get(await this.signIn(url));
    return parseRedirectUrl(await this.browser.submitForm(page, '/consent', { decision: 'deny' }));
  }

  /** Signs in, and nothing else. @returns where the service goes on */
  async signIn(url: URL | string): Promise<string> {
    const { status, location } = await this.browser.get(toPath(url));
    expect({ status, location }).toEqual({ status: 303, location: expect.stringMatching(/^\/sign-in\?/) });
    return toPath((await this.browser.signIn(this.account, undefined, location!)).location!);
  }

  /** Is sent on by the service without being asked. @returns where to */
  async followToApp(url: URL | string): Promise<URL> {
    return parseRedirectUrl(await this.browser.get(toPath(url)));
  }
}

/** What an id token must say of the access token that came with it (OpenID Connect Core §3.1.3.6). */
export function computeAtHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

/** What a token says of its own signature. */
export function decodeJwtHeader(token: string): { alg: string; kid: string } {
  return JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { alg: string; kid: string };
}

function toPath(url: URL | string): string {
  const { pathname, search } = new URL(url, 'http://service.invalid');
  return pathname + search;
}

function parseRedirectUrl({ status, location }: PageResponse): URL {
  expect(status).toBe(303);
  return new URL(location!);
}
