import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { NewApp } from '../../src/identity/apps/new-app.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
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
    const newTab = 'target="_blank" rel="noreferrer noopener"';
    expect(links).toEqual([
      ['https://walk.example/', newTab, 'walk.example'],
      ['https://legal.example/privacy?a=1&amp;b=2', newTab, 'Privacy policy (legal.example)'],
      ['https://legal.example/terms', newTab, 'Terms of service (legal.example)'],
    ]);
  });

  it('shows no links for an app without addresses', async () => {
    expect(await openFor({})).not.toContain('target="_blank"');
  });

  it.each([
    ['openid', 'could know who you are.'],
    ['openid profile email', 'could know who you are and see your e-mail address.'],
    ['markers:read artists:read', 'could see the map.'],
    ['edits:read collections:read', 'could see your suggestions and see your collections.'],
    [
      'edits:write edits:review collections:write',
      'could suggest changes in your name, decide on other people’s suggestions, and change your collections.',
    ],
  ])('sums up the scope %j', async (scope, sentence) => {
    expect(await open(await registerApp(server), { scope })).toContain(sentence);
  });

  it('has a monogram, also for a name without letters', async () => {
    expect(await openFor({ name: 'östliche Runde' })).toMatch(/monogram color-[0-5]" aria-hidden="true">Ö</);
    expect(await openFor({ name: '“7 murals”' })).toMatch(/monogram color-[0-5]" aria-hidden="true">7</);
    expect(await openFor({ name: '❤️‍🔥!' })).toMatch(/aria-hidden="true">❤️‍🔥</);
  });
});
