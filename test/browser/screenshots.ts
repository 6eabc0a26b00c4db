import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import { join } from 'node:path';
import { DemoService } from '../../src/app/demo/demo.service.js';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { PasswordsService } from '../../src/identity/accounts/password/passwords.service.js';
import { splitScope } from '../../src/identity/scopes/scopes.js';
import { createAuthorizationRequest, authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { registerApp, TEST_PASSWORD, type TestApp } from '../support/factories.js';
import { setClock, restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

/** The folder of the screenshots: `SCREENSHOTS=docs/images npm run test:browser` creates them. */
const SCREENSHOT_FOLDER = process.env['SCREENSHOTS']!;

const SCOPE = 'openid profile markers:read collections:read collections:write edits:write';

describe('Screenshots', () => {
  let environment: BrowserEnvironment;
  let app: TestApp;
  let mila: Account;
  let tomas: Account;

  beforeAll(async () => {
    setClock(Date.UTC(2026, 11, 1, 9, 30));
    environment = await BrowserEnvironment.start();
    const { server } = environment;
    await server.get(DemoService).load();
    [mila, tomas] = await Promise.all([findDemoAccount('mila'), findDemoAccount('tomas')]);
    app = await registerApp(server, {
      name: 'Mural Walk',
      description: 'Walks from mural to mural, and keeps the ones you liked.',
      homePage: 'https://app.example.org/',
      scopes: splitScope(SCOPE),
      requiredScopes: ['markers:read'],
      ownerId: tomas.id,
    });
  });
  afterEach(() => environment.closePages());
  afterAll(async () => {
    restoreClock();
    await environment.stop();
  });

  const findDemoAccount = async (username: string): Promise<Account> => {
    await environment.server.get(PasswordsService).setByOperator(username, TEST_PASSWORD);
    return environment.server.entityManager.findOneByOrFail(Account, { username });
  };
  /** Opens a page as a person, and saves what the window shows of it as a picture. */
  const takeScreenshot = async (name: string, path: string, person?: Account, heading?: string): Promise<void> => {
    const browser = await environment.openPage({ viewport: { width: 760, height: 800 }, deviceScaleFactor: 2 });
    await browser.goto(path);
    if (person) await browser.signIn(person);
    if (heading) await browser.page.locator(heading).evaluate((element) => element.scrollIntoView());
    await browser.page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) });
  };

  it('show the home page, consent, the record of an app, and a failed call', async () => {
    await takeScreenshot('home', '/');
    const { path } = createAuthorizationRequest(app, { scope: SCOPE });
    await takeScreenshot('consent', path, mila);
    await actForMila();
    await takeScreenshot('app-record', `/account/apps/${app.app.id}`, mila, '#record');
    await takeScreenshot('developer-app', `/developer/apps/${app.app.id}`, tomas);
  });

  /** Lets the app change the map for Mila, and fail once. */
  async function actForMila(): Promise<void> {
    const { server } = environment;
    const browser = await openSignedInBrowser(server, mila);
    const { body: tokens } = await authorizeApp(server, app, browser, { scope: SCOPE });
    const post = async (address: string, body: object): Promise<{ id: string }> =>
      (await server.request('POST', address, { token: tokens.access_token, body })).body;
    const { id } = await post('/api/collections', { name: 'Foxes' });
    const foxes = ['mrk_01JDEM00000000000000000001', 'mrk_01JDEM00000000000000000010'];
    await post(`/api/collections/${id}/items`, { items: foxes.map((markerId) => ({ markerId })) });
    const edit = { type: 'update', targetType: 'artwork', targetId: foxes[0], baseVersion: 1 };
    await post('/api/edits', { ...edit, changes: { status: 'damaged' }, comment: 'Painted over on the left.' });
    advanceClock(600 * SECOND_MS);
    const wrong = createAuthorizationRequest(app, { redirect_uri: 'https://app.example.org/callback/' });
    await browser.get(wrong.path);
  }
});
