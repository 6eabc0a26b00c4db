import { afterEach, describe, expect, it } from '@jest/globals';
import { Passkey } from '../../src/identity/accounts/passkeys/passkey.entity.js';
import { PasskeysStore } from '../../src/identity/accounts/passkeys/passkeys.store.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import type { BrowserPage } from '../support/browser-page.js';
import { BrowserScenario } from '../support/browser-scenario.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { decodeJwtClaims } from '../support/jwt.js';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.js';

const MINUTE_MS = 60 * SECOND_MS;

describe('Passkeys in Chromium', () => {
  const scenario = BrowserScenario.use();
  afterEach(restoreClock);

  const list = (): Promise<Passkey[]> => scenario.environment.server.get(PasskeysStore).list(scenario.account.id);

  it('add a passkey, sign in with it, and show when it was used', async () => {
    const { browser } = scenario;
    await addVirtualAuthenticator(browser);
    await signInAndAdd('Phone');
    expect(browser.path).toBe('/account/passkeys');
    expect(await browser.text()).toMatch(/The passkey was added\.[^]*Phone[^]*Last used\s+Never/);
    await signOut(browser);
    await browser.goto('/account/passkeys');
    await browser.clickButton('Sign in with a passkey');
    expect(browser.path).toBe('/account/passkeys');
    expect(await browser.text()).not.toContain('Never');
    const [passkey] = await list();
    expect(passkey!.lastUsedAt).toBeInstanceOf(Date);
  });

  it('offer passkeys in the username field', async () => {
    const { browser } = scenario;
    await addVirtualAuthenticator(browser);
    await signInAndAdd('Phone');
    await signOut(browser);
    await browser.goto('/sign-in');
    const username = browser.page.getByLabel('Username or e-mail');
    expect(await username.getAttribute('autocomplete')).toBe('username webauthn');
    await browser.waitForNavigation(() => username.focus());
    expect(browser.path).toBe('/account/apps');
  });

  it('add two passkeys, and reject a removed one', async () => {
    const { browser } = scenario;
    const first = await addVirtualAuthenticator(browser);
    await signInAndAdd('Phone');
    await browser.fillFields({ Name: 'Same phone' });
    await browser.button('Add a passkey').click();
    await browser.page.getByText('Your device did not create a passkey.').waitFor();
    await first.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: first.authenticatorId });
    await addVirtualAuthenticator(browser);
    await add('Laptop');
    expect((await list()).map(({ name }) => name)).toEqual(['Phone', 'Laptop']);
    await browser.waitForNavigation(() => browser.page.getByRole('button', { name: 'Remove' }).last().click());
    expect(await browser.text()).toContain('The passkey was removed.');
    expect((await list()).map(({ name }) => name)).toEqual(['Phone']);
    await signOut(browser);
    await browser.goto('/sign-in');
    await browser.clickButton('Sign in with a passkey');
    expect(await browser.page.getByRole('alert').first().innerText()).toContain('This passkey was not accepted.');
    await browser.signIn(scenario.account);
    expect(browser.path).toBe('/account/apps');
  });

  it('reject a cloned passkey', async () => {
    const { browser } = scenario;
    const { server } = scenario.environment;
    await addVirtualAuthenticator(browser);
    await signInAndAdd('Phone');
    const { id } = (await list())[0]!;
    await server.get(TransactionService).run((tx) => tx.update(Passkey, { id }, { counter: 1000 }));
    await signOut(browser);
    await browser.goto('/sign-in');
    await browser.clickButton('Sign in with a passkey');
    expect(await browser.page.getByRole('alert').first().innerText()).toContain('This passkey was not accepted.');
    const events = await server.entityManager.findBy(AuditEvent, {
      accountId: scenario.account.id,
      type: 'passkey.rejected',
    });
    expect(events.map(({ detail }) => detail)).toEqual(['Phone']);
  });

  it('satisfy prompt=login and max_age, and appear as amr in the ID token', async () => {
    const { browser, app } = scenario;
    await addVirtualAuthenticator(browser);
    await signInAndAdd('Phone');
    await browser.goto(app.startAuthorization());
    await browser.clickButton('Allow');
    expect(decodeJwtClaims((await app.exchangeCode()).body.id_token).amr).toEqual(['pwd']);
    for (const parameters of [{ prompt: 'login' }, { max_age: '60' }]) {
      advanceClock(70 * SECOND_MS);
      await browser.goto(app.startAuthorization(parameters));
      expect(await browser.text()).toContain('The app asks you to sign in again.');
      await browser.clickButton('Sign in with a passkey');
      const { amr, auth_time, iat } = decodeJwtClaims((await app.exchangeCode()).body.id_token);
      expect({ amr, isRecent: Number(iat) - Number(auth_time) < 60 }).toEqual({ amr: ['hwk', 'user'], isRecent: true });
    }
  });

  it('ask for the password on the page 10 minutes after the sign-in, and show errors in the form', async () => {
    const { browser } = scenario;
    await addVirtualAuthenticator(browser);
    await browser.goto('/account/passkeys');
    await browser.signIn(scenario.account);
    advanceClock(11 * MINUTE_MS);
    await browser.goto('/account/passkeys');
    await browser.fillFields({ Password: 'wrong horse', Name: 'Phone' });
    await browser.button('Add a passkey').click();
    await browser.page.getByRole('link', { name: 'The password is wrong. Try again.' }).waitFor();
    expect(await browser.page.title()).toMatch(/^Error: Passkeys/);
    expect(await browser.page.locator(':focus').getAttribute('id')).toBe('password');
    expect(await browser.page.getByLabel('Name').inputValue()).toBe('Phone');
    await browser.fillFields({ Password: 'correct horse' });
    await browser.clickButton('Add a passkey');
    expect((await list()).map(({ name }) => name)).toEqual(['Phone']);
  });

  it('list and remove passkeys without scripts', async () => {
    await addVirtualAuthenticator(scenario.browser);
    await signInAndAdd('Phone');
    const plain = await scenario.environment.openPage({ javaScriptEnabled: false });
    await plain.goto('/account/passkeys');
    expect(await plain.button('Sign in with a passkey').count()).toBe(0);
    await plain.signIn(scenario.account);
    expect(await plain.text()).toContain('To add a passkey, allow JavaScript for this page.');
    await plain.clickButton('Remove');
    expect(await list()).toEqual([]);
  });

  it('show no button in a browser without WebAuthn', async () => {
    const { browser } = scenario;
    await browser.page.addInitScript('delete window.PublicKeyCredential');
    await browser.goto('/account/passkeys');
    expect(await browser.button('Sign in with a passkey').count()).toBe(0);
    await browser.signIn(scenario.account);
    expect(await browser.text()).toContain('This browser cannot add passkeys.');
  });

  /** Adds a passkey on the page of the passkeys. */
  async function add(name: string): Promise<void> {
    await scenario.browser.fillFields({ Name: name });
    await scenario.browser.clickButton('Add a passkey');
  }

  async function signInAndAdd(name: string): Promise<void> {
    await scenario.browser.goto('/account/passkeys');
    await scenario.browser.signIn(scenario.account);
    await add(name);
  }
});

async function signOut(browser: BrowserPage): Promise<void> {
  await browser.page.context().clearCookies();
}
