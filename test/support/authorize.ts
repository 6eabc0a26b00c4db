import { expect } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import type { Account } from '../../src/accounts/account.entity.js';
import type { TestApp } from './factories.js';
import type { Answer, Service } from './service.js';
import { type Seen, Visitor } from './visitor.js';

export const REDIRECT_URI = 'https://app.example.org/callback';
export const STATE = 'state of the app';

/** What an app sends a person with, and keeps to itself. */
export interface Asking {
  verifier: string;
  path: string;
}

/** A request of an app to the authorization endpoint; `undefined` leaves a parameter out. */
export function ask({ credentials }: TestApp, given: Record<string, string | undefined> = {}): Asking {
  const verifier = randomBytes(32).toString('base64url');
  const parameters = {
    client_id: credentials.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile markers:read edits:write',
    state: STATE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...given,
  };
  const query = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { verifier, path: `/api/oauth/authorize?${query}` };
}

/** A browser in which a person is signed in. */
export async function signedIn(service: Service, account: Account): Promise<Visitor> {
  const visitor = new Visitor(service);
  await visitor.signIn(account);
  return visitor;
}

/** Sends a signed-in person to us, who allows what is asked. @returns the answer that leads back to the app */
export async function allow(visitor: Visitor, path: string, scope?: string[]): Promise<Seen> {
  const page = await visitor.get(path);
  expect(page.status).toBe(200);
  return visitor.submit(page, '/consent', { decision: 'allow', ...(scope && { scope }) });
}

/** What the app gets at its address. */
export function replyOf({ location }: Seen, redirectUri = REDIRECT_URI): Record<string, string> {
  expect(location).toMatch(/^\S+$/);
  expect(location!.startsWith(redirectUri)).toBe(true);
  return Object.fromEntries(new URL(location!).searchParams);
}

/** Exchanges a code as the app; `undefined` leaves a field out. */
export function exchange(
  service: Service,
  { credentials }: TestApp,
  code: string | undefined,
  verifier: string | undefined,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  return service.call('POST', '/api/oauth/token', { body: { ...fields, ...credentials, ...more } });
}

/** All of it: a person allows, and the app has tokens. */
export async function connect(
  service: Service,
  app: TestApp,
  visitor: Visitor,
  given: Record<string, string | undefined> = {},
): Promise<Answer> {
  const { path, verifier } = ask(app, given);
  const { code } = replyOf(await allow(visitor, path));
  const answer = await exchange(service, app, code, verifier);
  expect(answer.status).toBe(200);
  return answer;
}
