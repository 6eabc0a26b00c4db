import { expect } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { TestApp } from './factories.js';
import type { TestResponse, TestServer } from './test-server.js';
import { type PageResponse, BrowserClient } from './browser-client.js';

export const REDIRECT_URI = 'https://app.example.org/callback';
export const STATE = 'state of the app';

/** What an app sends a person with, and keeps to itself. */
export interface AuthorizationRequest {
  codeVerifier: string;
  path: string;
}

/** A request of an app to the authorization endpoint; `undefined` leaves a parameter out. */
export function createAuthorizationRequest(
  { credentials }: TestApp,
  given: Record<string, string | undefined> = {},
): AuthorizationRequest {
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
  return { codeVerifier: verifier, path: `/api/oauth/authorize?${query}` };
}

/** A browser in which a person is signed in. */
export async function openSignedInBrowser(server: TestServer, account: Account): Promise<BrowserClient> {
  const browser = new BrowserClient(server);
  await browser.signIn(account);
  return browser;
}

/** Sends a signed-in person to us, who allows what is asked. @returns the answer that leads back to the app */
export async function grantConsent(browser: BrowserClient, path: string, scope?: string[]): Promise<PageResponse> {
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  return browser.submitForm(page, '/consent', { decision: 'allow', ...(scope && { scope }) });
}

/** What the app gets at its address. */
export function parseRedirectParams({ location }: PageResponse, redirectUri = REDIRECT_URI): Record<string, string> {
  expect(location).toMatch(/^\S+$/);
  expect(location!.startsWith(redirectUri)).toBe(true);
  return Object.fromEntries(new URL(location!).searchParams);
}

/** Exchanges a code as the app; `undefined` leaves a field out. */
export function exchangeCode(
  server: TestServer,
  { credentials }: TestApp,
  code: string | undefined,
  verifier: string | undefined,
  more: Record<string, unknown> = {},
): Promise<TestResponse> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  return server.request('POST', '/api/oauth/token', { body: { ...fields, ...credentials, ...more } });
}

/** All of it: a person allows, and the app has tokens. */
export async function authorizeApp(
  server: TestServer,
  app: TestApp,
  browser: BrowserClient,
  given: Record<string, string | undefined> = {},
): Promise<TestResponse> {
  const { path, codeVerifier } = createAuthorizationRequest(app, given);
  const { code } = parseRedirectParams(await grantConsent(browser, path));
  const answer = await exchangeCode(server, app, code, codeVerifier);
  expect(answer.status).toBe(200);
  return answer;
}
