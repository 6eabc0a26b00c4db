import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { NewApp } from '../../src/identity/apps/new-app.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { ConsentsService } from '../../src/identity/oauth/consents/consents.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAuthorizationRequest, openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const OPERATOR_SENTENCE = 'Registered by the people who run this map';

describe('The consent page', () => {
  let server: TestServer;
  let owner: Account;

  beforeAll(async () => {
    server = await TestServer.start();
    owner = await createAccount(server, { name: 'Tomáš' });
  });
  afterAll(() => server.stop());

  const open = async (app: TestApp, params: Record<string, string> = {}): Promise<string> => {
    const browser = await openSignedInBrowser(server, await createAccount(server));
    return (await browser.get(createAuthorizationRequest(app, params).path)).html;
  };
  const openFor = async (overrides: Partial<NewApp>): Promise<string> => open(await registerApp(server, overrides));

  it('names the operator only for an app that the operator marked', async () => {
    const app = await registerApp(server, { isFirstParty: true });
    expect(await open(app)).toContain(OPERATOR_SENTENCE);
    await server.get(AppsService).setFirstParty(app.app.id, false);
    expect(await open(app)).not.toContain(OPERATOR_SENTENCE);
  });

  it('shows the owner of an app, and the date alone without an owner', async () => {
    expect(await openFor({ ownerId: owner.id })).toMatch(/Registered by Tomáš \(\w+\) on <time/);
    const html = await openFor({});
    expect(html).toMatch(/Registered on <time/);
    expect(html).not.toContain(OPERATOR_SENTENCE);
  });

  it('opens the links of an app in a new tab, with their host', async () => {
    const html = await openFor({
      homePage: 'https://walk.example/',
      privacyPolicy: 'https://legal.example/privacy?a=1&b=2',
      termsOfService: 'https://legal.example/terms',
    });
    const links = [...html.matchAll(/<a href="(https:[^"]*)" ([^>]*)>([^<]*)</g)].map(([, ...link]) => link);
    const newTab = (text: string): string[] => [
      `target="_blank" rel="noreferrer noopener" aria-label="${text} (opens in a new tab)"`,
      text,
    ];
    expect(links).toEqual([
      ['https://walk.example/', ...newTab('walk.example')],
      ['https://legal.example/privacy?a=1&amp;b=2', ...newTab('Privacy policy (legal.example)')],
      ['https://legal.example/terms', ...newTab('Terms of service (legal.example)')],
    ]);
  });

  it('shows no links for an app without addresses', async () => {
    expect(await openFor({})).not.toContain('target="_blank"');
  });

  it('shows the origin of the app and the destination above the buttons, the rest below', async () => {
    const html = await openFor({ ownerId: owner.id, description: 'Walks.', privacyPolicy: 'https://legal.example/' });
    const texts = ['Registered by Tomáš', 'Used by', 'You then continue to', 'Allow<', '“Walks.”', '>Privacy policy'];
    expect(texts.toSorted((one, other) => html.indexOf(one) - html.indexOf(other))).toEqual(texts);
    expect(texts.filter((text) => html.split(text).length !== 2)).toEqual([]);
  });

  it('rounds the number of people who use the app, and hides one below 10', async () => {
    const app = await registerApp(server);
    const allow = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done++) {
        const key = { accountId: (await createAccount(server)).id, appId: app.app.id };
        const consents = server.get(ConsentsService);
        await server
          .get(TransactionService)
          .run((tx) => consents.recordDecision(tx, key, ['markers:read'], ['markers:read']));
      }
    };
    await allow(9);
    expect(await open(app)).toContain('Used by fewer than 10 people.');
    await allow(1);
    expect(await open(app)).toContain('Used by about 10 people.');
    await allow(34);
    expect(await open(app)).toContain('Used by about 40 people.');
    expect(await open(app, { ui_locales: 'de' })).toContain('Etwa 40 Personen nutzen die App.');
  });

  it('has a monogram, also for a name without letters', async () => {
    expect(await openFor({ name: 'östliche Runde' })).toMatch(/monogram color-\d" aria-hidden="true">Ö</);
    expect(await openFor({ name: '“7 murals”' })).toMatch(/monogram color-\d" aria-hidden="true">7</);
    expect(await openFor({ name: '❤️‍🔥!' })).toMatch(/aria-hidden="true">❤️‍🔥</);
  });
});
