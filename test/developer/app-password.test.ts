import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import type { BrowserClient, PageResponse } from '../support/browser-client.js';
import { createAccount, registerApp, TEST_PASSWORD } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { TestServer } from '../support/test-server.js';

const APPS_PATH = '/developer/apps';
const PASSWORD_FIELD = 'name="password"';
const MINUTE_MS = 60 * SECOND_MS;

describe('A form of a developer', () => {
  let server: TestServer;
  let owner: Account;
  let browser: BrowserClient;
  let app: App;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    owner = await createAccount(server);
    browser = await openSignedInBrowser(server, owner);
    ({ app } = await registerApp(server, { ownerId: owner.id }));
  });
  afterEach(restoreClock);

  const readApps = (): Promise<App[]> => server.entityManager.findBy(App, { ownerId: owner.id });

  interface Form {
    page: string;
    action: string;
    fields: Record<string, string | string[]>;
    /** A part of the page that shows a field with its value. */
    kept: string;
  }

  const getForm = (name: string): Form => {
    const settings = {
      name: `Night Walk ${owner.username}`,
      redirectUris: 'https://night.example/callback',
      scopes: ['openid', 'edits:read'],
    };
    const appPath = `${APPS_PATH}/${app.id}`;
    const kept = 'https://night.example/callback</textarea>';
    const forms: Record<string, Form> = {
      'new app': { page: `${APPS_PATH}/new`, action: APPS_PATH, fields: settings, kept },
      settings: { page: appPath, action: appPath, fields: settings, kept },
      'new secret': {
        page: `${appPath}/secret`,
        action: `${appPath}/secret`,
        fields: { keepOld: '24h' },
        kept: '<option value="24h" selected>',
      },
      deletion: {
        page: `${appPath}/delete`,
        action: `${appPath}/delete`,
        fields: {},
        kept: `Delete ${app.name}?`,
      },
    };
    return forms[name]!;
  };

  const submit = async ({ page, action, fields }: Form, password?: string): Promise<PageResponse> => {
    const fieldsWithPassword = { ...fields, ...(password !== undefined && { password }) };
    return browser.submitForm(await browser.get(page), action, fieldsWithPassword);
  };

  describe.each(['new app', 'settings', 'new secret', 'deletion'])('(%s)', (name) => {
    it('does not ask for a password that was entered in the last 10 minutes', async () => {
      const form = getForm(name);
      advanceClock(10 * MINUTE_MS - 5 * SECOND_MS);
      expect((await browser.get(form.page)).html).not.toContain(PASSWORD_FIELD);
      expect((await submit(form)).status).toBe(303);
    });

    it('asks for it later: without it nothing changes, and the other fields are kept', async () => {
      const form = getForm(name);
      advanceClock(10 * MINUTE_MS);
      expect((await browser.get(form.page)).html).toContain(PASSWORD_FIELD);
      const before = await readApps();
      for (const [password, message] of [
        [undefined, 'Enter a password.'],
        ['', 'Enter a password.'],
        ['wrong horse', 'The password is wrong. Try again.'],
      ] as const) {
        const { status, html } = await submit(form, password);
        expect(status).toBe(422);
        expect(html).toContain(message);
        expect(html).toContain('id="password-error"');
        expect(html).toContain(form.kept);
        expect(html).not.toMatch(/wrong horse|sam_secret/);
      }
      expect(await readApps()).toEqual(before);
    });

    it('takes the right password, and then does not ask for 10 minutes', async () => {
      const form = getForm(name);
      advanceClock(10 * MINUTE_MS);
      expect((await submit(form, TEST_PASSWORD)).status).toBe(303);
      expect((await browser.get(form.page)).html).not.toContain(PASSWORD_FIELD);
    });

    it('slows down guesses in the session, for the right password too', async () => {
      const form = getForm(name);
      advanceClock(10 * MINUTE_MS);
      const before = await readApps();
      const statuses: number[] = [];
      for (let guess = 0; guess < 12; guess++) statuses.push((await submit(form, 'wrong horse')).status);
      expect(statuses[0]).toBe(422);
      expect(statuses.at(-1)).toBe(429);
      expect((await submit(form, TEST_PASSWORD)).status).toBe(429);
      expect(await readApps()).toEqual(before);
    });
  });

  it('registers at most 50 apps of a person in a day, deleted ones included', async () => {
    const form = getForm('new app');
    for (let count = 1; count <= 50; count++) {
      const { status, location } = await submit({
        ...form,
        fields: { ...form.fields, name: `Day ${count} of ${owner.id}` },
      });
      expect({ count, status }).toEqual({ count, status: 303 });
      const [, id] = /(app_\w+)/.exec(location!)!;
      await browser.post(`${APPS_PATH}/${id}/delete`, {});
    }
    const rejected = await submit(form);
    expect(rejected.status).toBe(429);
    expect(rejected.html).toContain('You registered too many apps today. Try again tomorrow.');
    advanceClock(24 * 60 * MINUTE_MS);
    await browser.signIn(owner);
    expect((await submit(form)).status).toBe(303);
  });

  it('asks only once if another field is invalid', async () => {
    const form = getForm('settings');
    advanceClock(10 * MINUTE_MS);
    const rejected = await submit({ ...form, fields: { ...form.fields, homePage: 'nonsense' } }, TEST_PASSWORD);
    expect(rejected.status).toBe(422);
    expect(rejected.html).toContain('id="homePage-error"');
    expect(rejected.html).not.toContain(PASSWORD_FIELD);
    expect((await submit(form)).status).toBe(303);
  });
});
