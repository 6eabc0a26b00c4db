import type { BrowserClient, PageResponse } from './browser-client.js';
import { TEST_PASSWORD } from './factories.js';
import { findQueuedLink } from './queued-mail.js';
import type { TestServer } from './test-server.js';

/** Requests another e-mail address with the form of `/account/email`. */
export async function submitNewEmail(
  browser: BrowserClient,
  email: string,
  password = TEST_PASSWORD,
): Promise<PageResponse> {
  return browser.submitForm(await browser.get('/account/email'), '/account/email', { email, password });
}

/** Opens a link that confirms an address, and submits its form if the page has one. */
export async function confirmEmail(browser: BrowserClient, link: string): Promise<PageResponse> {
  const page = await browser.get(link);
  return page.status === 200 ? browser.submitForm(page, '/verify-email') : page;
}

/** Changes the e-mail address of the account that is signed in. */
export async function changeEmail(
  server: TestServer,
  browser: BrowserClient,
  email: string,
  password = TEST_PASSWORD,
): Promise<void> {
  await submitNewEmail(browser, email, password);
  const { status } = await confirmEmail(browser, await findQueuedLink(server, 'confirmEmail', email));
  if (status !== 200) throw new Error(`The address was not changed: ${status}.`);
}

/** Opens a link that takes an address back, and submits its form if the page has one. */
export async function takeBackEmail(browser: BrowserClient, link: string): Promise<PageResponse> {
  const page = await browser.get(link);
  return page.status === 200 ? browser.submitForm(page, '/take-back-email') : page;
}
