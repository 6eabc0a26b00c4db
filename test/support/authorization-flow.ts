import { expect } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { TestApp } from './factories.js';
import { sendRequest, type TestResponse, type TestServer } from './test-server.js';
import { type PageResponse, BrowserClient } from './browser-client.js';

/** The redirect URI of the apps of the factories. */
export const REDIRECT_URI = 'https://app.example.org/callback';
/** The state of every authorization request. */
export const STATE = 'state of the app';

/** The path of an authorization request and its PKCE verifier. */
export interface AuthorizationRequest {
  codeVerifier: string;
  path: string;
}

/** Creates an authorization request with PKCE; `undefined` removes a parameter. */
export function createAuthorizationRequest(
  { credentials }: TestApp,
  overrides: Record<string, string | undefined> = {},
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
    ...overrides,
  };
  const query = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { codeVerifier: verifier, path: `/api/oauth/authorize?${query}` };
}

/** Opens a browser in which an account is signed in. */
export async function openSignedInBrowser(server: TestServer, account: Account): Promise<BrowserClient> {
  const browser = new BrowserClient(server);
  await browser.signIn(account);
  return browser;
}

/** Submits the consent page with Allow. @returns the redirect to the app */
export async function grantConsent(browser: BrowserClient, path: string, scope?: string[]): Promise<PageResponse> {
  const page = await browser.get(path);
  expect(page.status).toBe(200);
  return browser.submitForm(page, '/consent', { decision: 'allow', ...(scope && { scope }) });
}

/** Parses the query of a redirect to the app. */
export function parseRedirectParams({ location }: PageResponse, redirectUri = REDIRECT_URI): Record<string, string> {
  expect(location).toMatch(/^\S+$/);
  expect(location!.startsWith(redirectUri)).toBe(true);
  return Object.fromEntries(new URL(location!).searchParams);
}

/** Exchanges a code (RFC 6749 §4.1.3); `undefined` removes a field. */
export function exchangeCode(
  server: Pick<TestServer, 'url'>,
  { credentials }: TestApp,
  code: string | undefined,
  verifier: string | undefined,
  fields: Record<string, unknown> = {},
): Promise<TestResponse> {
  const request = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  return sendRequest(server.url, 'POST', '/api/oauth/token', { body: { ...request, ...credentials, ...fields } });
}

/** Grants the consent and exchanges the code. @returns the token response */
export async function authorizeApp(
  server: TestServer,
  app: TestApp,
  browser: BrowserClient,
  parameters: Record<string, string | undefined> = {},
): Promise<TestResponse> {
  const { path, codeVerifier } = createAuthorizationRequest(app, parameters);
  const { code } = parseRedirectParams(await grantConsent(browser, path));
  const response = await exchangeCode(server, app, code, codeVerifier);
  expect(response.status).toBe(200);
  return response;
}
