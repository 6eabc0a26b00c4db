import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { BrowserScenario } from '../support/browser-scenario.js';
import { createMarker } from '../support/factories.js';
import type { ResponseBody } from '../support/test-server.js';

/** The folder of the screenshots of the steps. Without it, the test takes none. */
const SCREENSHOT_FOLDER = process.env['WALK_SCREENSHOTS'];

const FIRST_SCOPES: Scope[] = ['openid', 'markers:read', 'collections:read', 'collections:write'];
const ALL_SCOPES: Scope[] = [...FIRST_SCOPES, 'edits:write'];

const COLLECTIONS_WRITE_LABEL = 'Collections can be created, changed and deleted, and artworks added to them';
const EDITS_WRITE_LABEL = 'Changes to artworks and artists can be suggested for you';

describe('A person and an app', () => {
  const scenario = BrowserScenario.use({ name: 'Wall Walks', description: 'Plans walks from mural to mural.' });

  const takeScreenshot = async (name: string): Promise<void> => {
    if (!SCREENSHOT_FOLDER) return;
    await scenario.browser.page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) });
  };
  const authorize = (scopes: Scope[]): Promise<void> =>
    scenario.browser.goto(scenario.app.startAuthorization({ scope: scopes.join(' ') }));
  const send = async (token: string, path: string, body: object): Promise<ResponseBody> =>
    (await scenario.environment.server.request('POST', `/api${path}`, { token, body })).body;

  it('meet: a first consent with doubts, one more permission, and the undo of its mistakes', async () => {
    const { browser, app } = scenario;
    const markers = [await createMarker(scenario.environment.server), await createMarker(scenario.environment.server)];

    await authorize(FIRST_SCOPES);
    await browser.signIn(scenario.account);
    await browser.checkbox(COLLECTIONS_WRITE_LABEL).uncheck();
    await takeScreenshot('first-consent');
    await browser.clickButton('Allow');
    expect((await app.exchangeCode()).body.scope).toBe('openid markers:read collections:read');

    await authorize(ALL_SCOPES);
    expect(await browser.checkbox(COLLECTIONS_WRITE_LABEL).isChecked()).toBe(false);
    expect(await browser.checkbox(EDITS_WRITE_LABEL).isChecked()).toBe(true);
    await takeScreenshot('more-permissions');
    await browser.clickButton('Keep as before');
    expect(app.receivedCallbacks.at(-1)).toMatchObject({ error: 'access_denied' });
    await authorize(ALL_SCOPES);
    await browser.checkbox(COLLECTIONS_WRITE_LABEL).check();
    await browser.clickButton('Allow');
    const token = (await app.exchangeCode()).body.access_token as string;

    const { id } = await send(token, '/collections', { name: 'Foxes' });
    await send(token, `/collections/${id}/items`, { items: markers.map((marker) => ({ markerId: marker.id })) });
    for (const year of [1901, 1902, 1903]) {
      const edit = { type: 'update', targetType: 'artwork', targetId: markers[0]!.id, baseVersion: 1 };
      await send(token, '/edits', { ...edit, changes: { year } });
    }
    await browser.goto('/account/apps');
    expect(await browser.text()).toContain('3 suggestions, 1 collection changed');
    await takeScreenshot('connected-apps');
    await browser.clickLink('What it did');
    await takeScreenshot('record');
    await browser.clickButton('Remove access and undo');
    expect(await browser.page.getByRole('status').innerText()).toMatch(/^Undone: 5\./);
    await takeScreenshot('undone');
    expect((await send(token, `/collections/${id}`, { name: 'Advertisements' })).error).toBeDefined();
  });
});
