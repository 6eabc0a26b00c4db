import { expect } from '@jest/globals';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { BrowserClient, PageResponse } from './browser-client.js';
import { type ResponseOverrides, SoftwareAuthenticator } from './software-authenticator.js';
import type { TestServer } from './test-server.js';
import { openSignedInBrowser } from './authorization-flow.js';

/** The address of the page with the passkeys. */
export const PASSKEYS_PATH = '/account/passkeys';

/** Reads the options for the device that a page contains. */
export function readOptions<T>({ html }: PageResponse, name: 'options' | 'request'): T {
  const [, json = ''] = new RegExp(`data-passkey-${name}="([^"]*)"`).exec(html) ?? [];
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as T;
}

/** Requests the options to add a passkey. */
export async function requestCreationOptions(
  browser: BrowserClient,
  fields: Record<string, string> = {},
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const page = await browser.post(PASSKEYS_PATH, { name: 'Phone', ...fields });
  expect(page.status).toBe(200);
  return readOptions(page, 'options');
}

/** Requests the sign-in page, and returns the options that it contains. */
export async function requestSignInOptions(
  browser: BrowserClient,
  path = '/sign-in',
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return readOptions(await browser.get(path), 'request');
}

/** Adds a passkey in a browser that is signed in. */
export async function addPasskey(
  server: TestServer,
  browser: BrowserClient,
  name = 'Phone',
): Promise<SoftwareAuthenticator> {
  const device = new SoftwareAuthenticator(server.settings.BASE_URL);
  const credential = device.register(await requestCreationOptions(browser, { name }));
  const { status, location } = await browser.post(PASSKEYS_PATH, { name, credential });
  expect({ status, location }).toEqual({ status: 303, location: `${PASSKEYS_PATH}?done=added` });
  return device;
}

/** Adds a passkey to an account, in a browser of its own. */
export async function createPasskey(server: TestServer, account: Account): Promise<SoftwareAuthenticator> {
  return addPasskey(server, await openSignedInBrowser(server, account));
}

/** Sends a response of a device to the sign-in page. */
export function sendCredential(browser: BrowserClient, credential: string, query = ''): Promise<PageResponse> {
  return browser.post(`/sign-in/passkey${query}`, { credential });
}

/** Signs in with a passkey. */
export async function signInWithPasskey(
  browser: BrowserClient,
  device: SoftwareAuthenticator,
  overrides: ResponseOverrides = {},
): Promise<PageResponse> {
  return sendCredential(browser, device.authenticate(await requestSignInOptions(browser), overrides));
}
