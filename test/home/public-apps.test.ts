import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { type BrowserClient, BrowserClient as Guest, type PageResponse } from '../support/browser-client.js';
import { createAccount, registerApp } from '../support/factories.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { drawPicture } from '../support/test-pictures.js';
import { TestServer } from '../support/test-server.js';

const SHOWN = { description: 'Walks from mural to mural.', homePage: 'https://walk.example.org/' };

describe('The list of apps', () => {
  let server: TestServer;
  let owner: Account;
  let browser: BrowserClient;
  let app: App;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    owner = await createAccount(server);
    browser = await openSignedInBrowser(server, owner);
    ({ app } = await registerApp(server, { ownerId: owner.id, ...SHOWN, scopes: ['markers:read', 'edits:write'] }));
  });

  const save = async (fields: Record<string, string | string[]>): Promise<PageResponse> => {
    const path = `/developer/apps/${app.id}`;
    return browser.submitForm(await browser.get(path), path, fields);
  };
  const approve = (id = app.id): Promise<App> => server.get(AppsService).setListed(id, true);
  const isListed = async (): Promise<boolean> => (await new Guest(server).get('/apps')).html.includes(app.id);
  const readListing = async (): Promise<string> =>
    (await server.entityManager.findOneByOrFail(App, { id: app.id })).listing;

  it('shows an app that its owner offers and the operator approved', async () => {
    expect(await isListed()).toBe(false);
    await save({ isOffered: 'on' });
    expect([await readListing(), await isListed()]).toEqual(['offered', false]);
    await approve();
    const { html } = await new Guest(server).get('/apps');
    const [card] = html.match(new RegExp(`<h2 id="${app.id}">.*?</section>`, 's'))!;
    expect(card).toContain('Walks from mural to mural.');
    expect(card).toContain(`Registered by ${owner.name} (${owner.username})`);
    expect(card).toContain('<strong>suggests changes</strong>');
    expect(card).toMatch(/href="https:\/\/walk\.example\.org\/" rel="noreferrer"[^>]*>Open</);
  });

  it('does not show an app that its owner does not offer, even if the operator wants it', async () => {
    await expect(approve()).rejects.toMatchObject({ code: 'not_offered' });
    expect(await isListed()).toBe(false);
  });

  it('needs a description and a home page', async () => {
    const { status, html } = await save({ isOffered: 'on', description: '', homePage: '' });
    expect(status).toBe(422);
    expect(html).toContain('id="description-error"');
    expect(html).toContain('id="homePage-error"');
    expect(await readListing()).toBe('none');
  });

  it.each([
    ['name', { name: 'Wall Walk' }],
    ['description', { description: 'Sells shoes.' }],
    ['home page', { homePage: 'https://shoes.example.org/' }],
  ])('needs a new approval after a change of the %s', async (_, change) => {
    await save({ isOffered: 'on' });
    await approve();
    await save({ redirectUris: 'https://new.example.org/callback' });
    expect(await isListed()).toBe(true);
    await save('name' in change ? { name: `${change.name} ${app.id}` } : change);
    expect([await readListing(), await isListed()]).toEqual(['offered', false]);
  });

  it('needs a new approval after a new icon or scope', async () => {
    await save({ isOffered: 'on' });
    await approve();
    await save({ scopes: ['markers:read'] });
    expect(await isListed()).toBe(true);
    await save({ scopes: ['markers:read', 'edits:review'] });
    expect(await readListing()).toBe('offered');
    await approve();
    const picture = new Blob([new Uint8Array(await drawPicture().png().toBuffer())]);
    await browser.postMultipart(`/developer/apps/${app.id}/icon`, { picture });
    expect(await readListing()).toBe('offered');
  });

  it('takes the offer of a new app, and hides the apps of a blocked person', async () => {
    const form = { name: `New ${app.id}`, redirectUris: 'https://a.example/cb', scopes: 'openid', ...SHOWN };
    const { location } = await browser.post('/developer/apps', { ...form, isOffered: 'on' });
    const [, id] = /(app_\w+)/.exec(location!)!;
    await approve(id);
    expect((await new Guest(server).get('/apps')).html).toContain(id);
    await server.get(AccountsService).block(owner.username, 'Spam.');
    expect((await new Guest(server).get('/apps')).html).not.toContain(id);
  });

  it('loses an app that the owner withdraws, the operator removes or disables, or that is deleted', async () => {
    const list = async (): Promise<void> => {
      await save({ isOffered: 'on' });
      await approve();
      expect(await isListed()).toBe(true);
    };
    await list();
    await save({ isOffered: [] });
    expect([await readListing(), await isListed()]).toEqual(['none', false]);
    await list();
    await server.get(AppsService).setListed(app.id, false);
    expect([await readListing(), await isListed()]).toEqual(['offered', false]);
    await list();
    await server.get(AppsService).disable(app.id);
    expect(await isListed()).toBe(false);
    await server.get(AppsService).enable(app.id);
    expect(await isListed()).toBe(true);
    await browser.post(`/developer/apps/${app.id}/delete`, {});
    expect(await isListed()).toBe(false);
  });

  it('shows an app of the operator with the command alone, if it has a home page', async () => {
    const { app: bare } = await registerApp(server);
    await expect(approve(bare.id)).rejects.toMatchObject({ code: 'no_home_page' });
    ({ app } = await registerApp(server, SHOWN));
    await approve();
    expect(await isListed()).toBe(true);
  });

  it('is where the empty list of connected apps leads', async () => {
    expect((await browser.get('/account/apps')).html).toContain('<a class="button" href="/apps">');
  });
});
