import type { BrowserClient, PageResponse } from './browser-client.js';
import { TEST_PASSWORD } from './factories.js';

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
