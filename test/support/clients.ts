import { expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Account } from '../../src/accounts/account.entity.js';
import { allow } from './authorize.js';
import { newAccount } from './factories.js';
import { freePort } from './processes.js';
import { Service } from './service.js';
import { type Seen, Visitor } from './visitor.js';

/** The service where it says it is, at a path or at none: a stock client takes no other issuer than the one it asks. */
export async function startAsIssuer(path = ''): Promise<Service> {
  const port = String(await freePort());
  return Service.start({ PORT: port, BASE_URL: `http://127.0.0.1:${port}${path}` });
}

/** A person with a browser, whom an app sends to the service by the addresses that its client makes. */
export class SentPerson {
  private constructor(
    readonly account: Account,
    private readonly visitor: Visitor,
  ) {}

  static async new(service: Service): Promise<SentPerson> {
    return new SentPerson(await newAccount(service), new Visitor(service));
  }

  /** Signs in and allows all that is asked. @returns where the app hears of it */
  async signInAndAllow(url: URL | string): Promise<URL> {
    return this.allow(await this.signIn(url));
  }

  /** Allows all that is asked, being signed in. @returns where the app hears of it */
  async allow(url: URL | string): Promise<URL> {
    return onward(await allow(this.visitor, pathOf(url)));
  }

  /** Signs in and denies it. @returns where the app hears of it */
  async signInAndDeny(url: URL | string): Promise<URL> {
    const page = await this.visitor.get(await this.signIn(url));
    return onward(await this.visitor.submit(page, '/consent', { decision: 'deny' }));
  }

  /** Signs in, and nothing else. @returns where the service goes on */
  async signIn(url: URL | string): Promise<string> {
    const { status, location } = await this.visitor.get(pathOf(url));
    expect({ status, location }).toEqual({ status: 303, location: expect.stringMatching(/^\/sign-in\?/) });
    return pathOf((await this.visitor.signIn(this.account, undefined, location!)).location!);
  }

  /** Is sent on by the service without being asked. @returns where to */
  async passThrough(url: URL | string): Promise<URL> {
    return onward(await this.visitor.get(pathOf(url)));
  }
}

/** What an id token must say of the access token that came with it (OpenID Connect Core §3.1.3.6). */
export function atHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

/** What a token says of its own signature. */
export function jwtHeader(token: string): { alg: string; kid: string } {
  return JSON.parse(Buffer.from(token.split('.', 1)[0]!, 'base64url').toString()) as { alg: string; kid: string };
}

function pathOf(url: URL | string): string {
  const { pathname, search } = new URL(url, 'http://service.invalid');
  return pathname + search;
}

function onward({ status, location }: Seen): URL {
  expect(status).toBe(303);
  return new URL(location!);
}
