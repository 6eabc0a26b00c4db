import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { type Language, type Messages, MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { interpolate } from '../../src/platform/i18n/interpolate.js';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { createAppArgs } from '../support/cli.js';
import { createAccount, registerApp } from '../support/factories.js';
import { type CommandResult, runCli } from '../support/run-command.js';
import { ServerCluster } from '../support/server-cluster.js';

const APPS_PATH = '/developer/apps';
const MAX_APPS_PER_ACCOUNT = 25;
const LANGUAGES = Object.keys(MESSAGES_BY_LANGUAGE) as Language[];

describe('Registration of apps', () => {
  let cluster: ServerCluster;
  let owner: Account;
  let sequence = 0;

  beforeAll(async () => {
    cluster = await ServerCluster.start();
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    owner = await createAccount(cluster.testServer);
  });

  const createName = (): string => `Walk ${++sequence}`;
  const openBrowser = async (url = cluster.testServer.url, language = 'en'): Promise<BrowserClient> => {
    const browser = new BrowserClient({ url }, { 'Accept-Language': language });
    await browser.signIn(owner);
    return browser;
  };
  const register = async (
    browser: BrowserClient,
    name = createName(),
    redirectUris = REDIRECT_URI,
  ): Promise<PageResponse> => {
    const fields = { name, redirectUris, scopes: ['openid'] };
    return browser.submitForm(await browser.get(`${APPS_PATH}/new`), APPS_PATH, fields);
  };
  const createByCommand = (...overrides: string[]): Promise<CommandResult> =>
    runCli(cluster.database.url, ...createAppArgs('--name', createName(), ...overrides));
  const registerMany = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done++) {
      await registerApp(cluster.testServer, { name: createName(), ownerId: owner.id });
    }
  };
  const formatWrongUsage = (error: string): string => `${JSON.stringify({ error, code: 'wrong_usage' })}\n`;
  const countApps = (): Promise<number> => cluster.testServer.entityManager.countBy(App, { ownerId: owner.id });

  it('is rejected for the 26th app of a person, on the page in each language and by the command', async () => {
    await registerMany(MAX_APPS_PER_ACCOUNT);
    for (const language of LANGUAGES) {
      const { status, html } = await register(await openBrowser(undefined, language));
      expect({ language, status }).toEqual({ language, status: 422 });
      expect(html).toContain(MESSAGES_BY_LANGUAGE[language].errors.tooManyApps.replaceAll("'", '&#39;'));
    }
    const { code, stdout, stderr } = await createByCommand('--owner', owner.username);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        '"This account has 25 apps, which is the maximum. Delete one of them first.","code":"too_many_apps"',
      ),
    });
    expect(await countApps()).toBe(MAX_APPS_PER_ACCOUNT);
    expect((await createByCommand()).code).toBe(0);
    expect((await createByCommand('--owner', (await createAccount(cluster.testServer)).username)).code).toBe(0);
  });

  it('accepts exactly one of several concurrent registrations in two processes at 24 apps', async () => {
    await registerMany(MAX_APPS_PER_ACCOUNT - 1);
    const browsers = await Promise.all([cluster.testServer.url, ...cluster.urls].map((url) => openBrowser(url)));
    const responses = await Promise.all([...browsers, ...browsers].map((browser) => register(browser)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
    expect(await countApps()).toBe(MAX_APPS_PER_ACCOUNT);
  });

  it.each<[string, string, keyof Messages['fieldErrors'], string?]>([
    ['https://app.example.org/\u202ecb', 'https://app.example.org/\ufffdcb', 'redirectUriInvisible'],
    ['https://a..b/', 'https://a..b/', 'redirectUriHost'],
    ['https://0x7f.1/', 'https://0x7f.1/', 'redirectUriRewritten', 'https://127.0.0.1/'],
  ])('is rejected on the page for the redirect URI %j in each language', async (uri, value, code, suggestion = '') => {
    for (const language of LANGUAGES) {
      const { status, html } = await register(await openBrowser(undefined, language), createName(), uri);
      expect({ language, status }).toEqual({ language, status: 422 });
      const message = interpolate(MESSAGES_BY_LANGUAGE[language].fieldErrors[code], { value, suggestion });
      expect(html).toContain(message.replaceAll("'", '&#39;'));
    }
    expect(await countApps()).toBe(0);
  });

  it.each([
    'Street art map',
    'STREET ART MAP!',
    'Street art map Security',
    'Sign in · Strëët-art rnap',
    'Mapa de arte urbano 2',
  ])('is rejected for the name %s, which contains the name of the service', async (name) => {
    const { status, html } = await register(await openBrowser(), name);
    expect(status).toBe(422);
    expect(html).toContain('id="name-error"');
    expect(html).toContain('This name contains the name of this map.');
    const { code, stderr } = await createByCommand('--name', name);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: formatWrongUsage('--name must not contain the name of the map.'),
    });
  });

  it.each(['Ѕtrееt аrt mаp', 'WаllWalker', 'Wall\u0345Walker'])(
    'is rejected for the name %j, which has two scripts, in each language',
    async (name) => {
      for (const language of LANGUAGES) {
        const { status, html } = await register(await openBrowser(undefined, language), name);
        expect({ language, status }).toEqual({ language, status: 422 });
        expect(html).toContain(MESSAGES_BY_LANGUAGE[language].fieldErrors.nameScripts.replaceAll("'", '&#39;'));
      }
      const { code, stderr } = await createByCommand('--name', name);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: formatWrongUsage('--name must have letters of one script only.'),
      });
      expect(await countApps()).toBe(0);
    },
  );

  it('is rejected for a name that looks like the name of another app, in each language', async () => {
    const name = `Mural ${createName()}`;
    await registerApp(cluster.testServer, { name });
    for (const language of LANGUAGES) {
      const { status, html } = await register(
        await openBrowser(undefined, language),
        name.toUpperCase().replace('W', 'VV'),
      );
      expect({ language, status }).toEqual({ language, status: 422 });
      expect(html).toContain(MESSAGES_BY_LANGUAGE[language].fieldErrors.nameTaken.replaceAll("'", '&#39;'));
    }
    expect((await createByCommand('--name', name.replace('l', 'I'))).stderr).toContain(
      '"--name must not look like the name of another app.","code":"name_taken"',
    );
    expect(await countApps()).toBe(0);
  });

  it('accepts exactly one of several concurrent registrations of look-alike names in two processes', async () => {
    const name = `Mural ${createName()}`;
    const browsers = await Promise.all([cluster.testServer.url, ...cluster.urls].map((url) => openBrowser(url)));
    const responses = await Promise.all(
      [name, name.replace('a', 'á'), name.toUpperCase(), name].map((one, index) => register(browsers[index % 2]!, one)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
    expect(await countApps()).toBe(1);
  });

  it('lets an app keep its name, and rejects a change to a look-alike name', async () => {
    const browser = await openBrowser();
    const taken = createName();
    await registerApp(cluster.testServer, { name: taken });
    const { app } = await registerApp(cluster.testServer, { name: createName(), ownerId: owner.id });
    const save = async (name: string): Promise<PageResponse> =>
      browser.submitForm(await browser.get(`${APPS_PATH}/${app.id}`), `${APPS_PATH}/${app.id}`, { name });
    expect((await save(taken.toUpperCase())).status).toBe(422);
    expect((await save('Street Art Map')).status).toBe(422);
    expect((await save(app.name)).status).toBe(303);
    expect((await save(app.name.toUpperCase())).status).toBe(303);
  });

  it('keeps the former names of an app reserved for it', async () => {
    const browser = await openBrowser();
    const { app } = await registerApp(cluster.testServer, { name: createName(), ownerId: owner.id });
    const other = await registerApp(cluster.testServer, { name: createName(), ownerId: owner.id });
    const save = async ({ id }: App, name: string): Promise<PageResponse> =>
      browser.submitForm(await browser.get(`${APPS_PATH}/${id}`), `${APPS_PATH}/${id}`, { name });
    expect((await save(app, createName())).status).toBe(303);
    expect((await save(app, createName())).status).toBe(303);
    for (const name of [app.name, app.name.toUpperCase(), app.name.replace('W', 'VV')]) {
      const { status, html } = await register(browser, name);
      expect(status).toBe(422);
      expect(html).toContain(MESSAGES_BY_LANGUAGE.en.fieldErrors.nameTaken);
      expect((await save(other.app, name)).status).toBe(422);
      expect((await createByCommand('--name', name)).code).toBe(1);
    }
    expect((await save(app, app.name)).status).toBe(303);
    const { formerNames } = await cluster.testServer.entityManager.findOneByOrFail(App, { id: app.id });
    expect(formerNames.map(({ name }) => name)).not.toContain(app.name);
    expect(formerNames).toHaveLength(2);
  });
});
