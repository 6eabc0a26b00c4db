import { expect } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { grantConsent } from './authorization-flow.js';
import { createAccount } from './factories.js';
import { findFreePort } from './free-port.js';
import { TestServer } from './test-server.js';
import { type PageResponse, BrowserClient } from './browser-client.js';

/** Starts a server that listens at its issuer URL; client libraries reject another issuer. */
export async function startIssuer(path = '', environment: Record<string, string> = {}): Promise<TestServer> {
  const port = String(await findFreePort());
  return TestServer.start({ PORT: port, BASE_URL: `http://127.0.0.1:${port}${path}`, ...environment });
}

/** An account with a browser that follows the authorization URLs of a client library. */
export class ResourceOwner {
  private constructor(
    readonly account: Account,
    private readonly browser: BrowserClient,
  ) {}

  static async create(server: TestServer): Promise<ResourceOwner> {
    return new ResourceOwner(await createAccount(server), new BrowserClient(server));
  }

  /** Signs in and grants the consent. @returns the redirect to the app */
  async signInAndGrantConsent(url: URL | string): Promise<URL> {
    return this.grantConsent(await this.signIn(url));
  }

  /** Grants the consent in an existing session. @returns the redirect to the app */
  async grantConsent(url: URL | string): Promise<URL> {
    return parseRedirectUrl(await grantConsent(this.browser, toPath(url)));
  }

  /** Signs in and denies the consent. @returns the redirect to the app */
  async signInAndDenyConsent(url: URL | string): Promise<URL> {
    const page = await this.browser.get(await this.signIn(url));
    return parseRedirectUrl(await this.browser.submitForm(page, '/consent', { decision: 'deny' }));
  }

  /** Signs in. @returns the path that the service redirects to */
  async signIn(url: URL | string): Promise<string> {
    const { status, location } = await this.browser.get(toPath(url));
    expect({ status, location }).toEqual({ status: 303, location: expect.stringMatching(/^\/sign-in\?/) });
    return toPath((await this.browser.signIn(this.account, undefined, location!)).location!);
  }

  /** Follows a request that needs no interaction. @returns the redirect to the app */
  async followToApp(url: URL | string): Promise<URL> {
    return parseRedirectUrl(await this.browser.get(toPath(url)));
  }
}

function toPath(url: URL | string): string {
  const { pathname, search } = new URL(url, 'http://service.invalid');
  return pathname + search;
}

function parseRedirectUrl({ status, location }: PageResponse): URL {
  expect(status).toBe(303);
  return new URL(location!);
}
