import { describe, expect, it } from '@jest/globals';
import { fillByName, signInNewMember, submitForm } from './page-state-actions.js';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

/** Rejected forms, and the field that has the focus. */
const REJECTED_FORMS: [state: string, firstField: string][] = [
  ['sign-up with errors', 'username'],
  ['profile with errors', 'name'],
  ['profile with a wrong picture', 'picture'],
  ['passkeys with an invalid form', 'name'],
  ['new password rejected', 'password'],
  ['e-mail address rejected', 'email'],
  ['change of the password rejected', 'new_password'],
  ['new app with errors', 'name'],
  ['app with a wrong time for its old secret', 'keepOld'],
  ['app with a wrong icon', 'picture'],
  ['app without a password', 'password'],
  ['secret to replace with a wrong password', 'password'],
];

describe('A rejected form', () => {
  const context = usePageStates();

  it.each(REJECTED_FORMS)('(%s) has an error summary, and focuses the field %s', async (state, firstField) => {
    const browser = await context.environment.openPage();
    await PAGE_STATES[state]!(browser, context);
    const { page } = browser;
    expect(await page.title()).toMatch(/^Error: /);
    expect(await page.locator(':focus').getAttribute('id')).toBe(firstField);
    const links = page.getByRole('alert').getByRole('link');
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!.slice(1)));
    expect(targets[0]).toBe(firstField);
    for (const [index, target] of targets.entries()) {
      const message = await links.nth(index).innerText();
      expect(await page.locator(`[id="${target}-error"]`).innerText()).toBe(message);
      await links.nth(index).click();
      expect(await page.locator(':focus').getAttribute('id')).toBe(target);
    }
  });

  it('leads from its summary to the scopes', async () => {
    const browser = await context.environment.openPage();
    await PAGE_STATES['new app with errors']!(browser, context);
    await browser.page.getByRole('alert').locator('a[href="#scopes"]').click();
    expect(await browser.page.locator(':focus').getAttribute('id')).toBe('scopes');
  });

  it('has the focus in the password after a wrong password', async () => {
    const browser = await context.environment.openPage();
    await PAGE_STATES['sign-in rejected']!(browser, context);
    expect(await browser.page.locator(':focus').getAttribute('id')).toBe('password');
  });
});

describe('A password field', () => {
  const context = usePageStates();

  it('shows the password on request, and submits it hidden', async () => {
    const browser = await context.environment.openPage();
    await browser.goto('/sign-up');
    await fillByName(browser, { password: 'correct horse' });
    const password = browser.page.getByLabel('Password', { exact: true });
    await browser.button('Show password').click();
    expect(await password.getAttribute('type')).toBe('text');
    expect(await password.inputValue()).toBe('correct horse');
    await browser.button('Hide password').click();
    expect(await password.getAttribute('type')).toBe('password');
    await browser.button('Show password').click();
    await browser.page.locator('main form').evaluate((form) => {
      form.addEventListener('submit', (event) => event.preventDefault());
    });
    await browser.button('Create account').click();
    expect(await password.getAttribute('type')).toBe('password');
  });

  it('has no button without scripts', async () => {
    const browser = await context.environment.openPage({ javaScriptEnabled: false });
    await browser.goto('/sign-up');
    expect(await browser.button('Show password').count()).toBe(0);
  });
});

describe('A value of an app', () => {
  const context = usePageStates();

  it('can be copied', async () => {
    const browser = await context.environment.openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signInNewMember(browser, context);
    await browser.goto('/developer/apps/new');
    await fillByName(browser, { name: 'Copied App', redirectUris: 'https://copied.example/callback' });
    await submitForm(browser);
    for (const id of ['client-id', 'client-secret', 'issuer', 'token-request']) {
      const value = browser.page.locator(`#${id}`);
      await browser.page.locator(`#${id} + .copy`).getByRole('button', { name: 'Copy' }).click();
      await browser.page.locator(`#${id} + .copy`).getByText('Copied').waitFor();
      expect(await browser.page.evaluate('navigator.clipboard.readText()')).toBe(await value.textContent());
    }
  });
});
