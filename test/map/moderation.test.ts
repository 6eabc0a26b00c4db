import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { Region } from '../../src/map/regions/region.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import {
  createAccount,
  createArtist,
  createMarker,
  issueTokens,
  registerApp,
  type TestApp,
} from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const REASON = 'Advertisements for one shop.';

describe('The pages of moderators', () => {
  let server: TestServer;
  let regions: Region[];
  let markers: Marker[];
  let rogue: TestApp;
  let moderator: Account;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
    const service = server.get(RegionsService);
    await service.findOrCreate('Halvenstad', [4.8, 52, 5.2, 52.3]);
    await service.findOrCreate('Elsewhere', [6, 52, 6.4, 52.3]);
    regions = await server.entityManager.find(Region, { order: { west: 'ASC' } });
  });

  afterAll(() => server.stop());

  beforeEach(async () => {
    rogue = await registerApp(server);
    markers = [await createMarker(server), await createMarker(server, { location: { lat: 52.1, lon: 6.1 } })];
    [moderator, browser] = await signIn({ role: 'moderator' });
  });

  const signIn = async (overrides: Parameters<typeof createAccount>[1]): Promise<[Account, BrowserClient]> => {
    const account = await createAccount(server, overrides);
    const client = new BrowserClient(server);
    await client.signIn(account);
    return [account, client];
  };

  /** Suggests years for an artwork. @returns the ids of the edits */
  const suggest = async (author: Account, { app = rogue, marker = markers[0]!, count = 1 } = {}): Promise<string[]> => {
    const token = (await issueTokens(server, { app: app.app, account: author })).access_token;
    const ids: string[] = [];
    for (let year = 1990; year < 1990 + count; year++) {
      const edit = { type: 'update', targetType: 'artwork', targetId: marker.id, baseVersion: 1, changes: { year } };
      const { status, body } = await server.request('POST', '/api/edits', { token, body: edit });
      expect({ status, error: body.error }).toEqual({ status: 201 });
      ids.push(body.id as string);
    }
    return ids;
  };

  const countByStatus = async (ids: string[]): Promise<Record<string, number>> => {
    const edits = await Promise.all(ids.map((id) => server.entityManager.findOneByOrFail(Edit, { id })));
    const counts: Record<string, number> = {};
    for (const { status } of edits) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  const listEvents = async (accountId: string): Promise<string[]> => {
    const events = await server.entityManager.find(AuditEvent, { where: { accountId } });
    return events.map(({ type, detail }) => `${type} ${detail}`).filter((text) => !text.startsWith('session'));
  };

  const appPath = (): string => `/moderation/apps/${rogue.app.id}`;
  const authorPath = ({ id }: Account): string => `/moderation/authors/${id}`;
  const expectStatus = async (response: Promise<PageResponse>, status: number): Promise<void> =>
    expect((await response).status).toBe(status);

  describe('are closed to', () => {
    it.each([{ role: 'member' }, { role: 'trusted' }] as const)('a $role', async ({ role }) => {
      const author = await createAccount(server);
      const ids = await suggest(author);
      const [, other] = await signIn({ role });
      const page = await other.get('/moderation');
      expect(page.status).toBe(403);
      expect(page.html).toContain('This page is for moderators of the map.');
      await expectStatus(other.get(appPath()), 403);
      await expectStatus(other.post(`${appPath()}/reject`, { reason: REASON }), 403);
      await expectStatus(other.post(`${authorPath(author)}/block`, { reason: REASON, until: '2100-01-01' }), 403);
      await expectStatus(other.post(`${appPath()}/disable`, {}), 403);
      await expectStatus(other.post('/moderation/locks', { target: markers[0]!.id, what: 'lock' }), 403);
      expect(await countByStatus(ids)).toEqual({ open: 1 });
      expect((await other.get('/account')).html).not.toContain('/moderation');
    });

    it('a visitor, who signs in and returns', async () => {
      const { location } = await new BrowserClient(server).get('/moderation');
      expect(location).toBe('/sign-in?return_to=%2Fmoderation');
    });

    it('a blocked moderator', async () => {
      await server.get(AccountsService).block(moderator.username, REASON);
      const page = await browser.get('/moderation');
      expect(page.status).toBe(403);
      expect(page.html).toContain('Your account is blocked');
    });
  });

  it('list authors and apps with their numbers, the latest first', async () => {
    const [first, second] = [await createAccount(server), await createAccount(server)];
    await suggest(first, { count: 2 });
    await suggest(second);
    const { html } = await browser.get('/moderation');
    expect(html.indexOf(second.username)).toBeLessThan(html.indexOf(first.username));
    expect(html).toContain('2 open, 0 accepted, 0 rejected');
    expect(html).toContain('3 open, 0 accepted, 0 rejected');
    expect((await browser.get('/account')).html).toContain('href="/moderation"');
  });

  it('show only what is in the regions of the moderator, and act only on it', async () => {
    const [author, elsewhere] = [await createAccount(server), await createAccount(server)];
    const [ids, otherIds] = [await suggest(author), await suggest(elsewhere, { marker: markers[1]! })];
    const [, local] = await signIn({ role: 'moderator', regions: [regions[0]!.id] });
    const { html } = await local.get('/moderation');
    expect(html).toContain(author.username);
    expect(html).not.toContain(elsewhere.username);
    await expectStatus(local.get(authorPath(elsewhere)), 404);
    await expectStatus(local.post(`${authorPath(elsewhere)}/block`, { reason: REASON, until: '2100-01-01' }), 404);
    await expectStatus(local.post('/moderation/locks', { target: markers[1]!.id, what: 'lock' }), 303);
    await expectStatus(local.get(`/moderation/locks?target=${markers[1]!.id}&what=lock`), 404);
    expect((await local.get(appPath())).html).not.toContain('Disable app');
    await expectStatus(local.post(`${appPath()}/disable`, {}), 403);
    await expectStatus(local.post(`${appPath()}/reject`, { reason: REASON }), 303);
    expect(await countByStatus([...ids, ...otherIds])).toEqual({ rejected: 1, open: 1 });
    const events = await listEvents(elsewhere.id);
    expect(events.filter((event) => event.startsWith('account.blocked'))).toEqual([]);
  });

  it('stop an app and reject all that it suggested for many people, and nothing else', async () => {
    const honest = await registerApp(server);
    const authors = await Promise.all(Array.from({ length: 12 }, () => createAccount(server)));
    const ids: string[] = [];
    for (const author of authors) ids.push(...(await suggest(author, { count: 10 })));
    const kept = await suggest(authors[0]!, { app: honest, marker: markers[1]! });
    expect((await browser.get(appPath())).html).toContain('120 open');
    await expectStatus(browser.post(`${appPath()}/disable`, {}), 303);
    await expectStatus(browser.post(`${appPath()}/reject`, { reason: REASON }), 303);
    expect(await countByStatus(ids)).toEqual({ rejected: 120 });
    expect(await countByStatus(kept)).toEqual({ open: 1 });
    const edit = await server.entityManager.findOneByOrFail(Edit, { id: ids[0]! });
    expect(edit).toMatchObject({ decidedById: moderator.id, decisionComment: REASON });
    const app = await server.entityManager.findOneByOrFail(App, { id: rogue.app.id });
    expect(app).toMatchObject({ disabledBy: 'operator' });
    const [disabled] = await server.entityManager.find(AuditEvent, { where: { appId: app.id, type: 'app.disabled' } });
    expect(disabled!.detail).toBe(`By the moderator ${moderator.id}.`);
    expect(await listEvents(moderator.id)).toEqual([`moderation.suggestions_rejected ${app.id} (120)`]);
    const { html } = await browser.get(appPath());
    expect(html).toContain('0 open');
    expect(html).not.toMatch(/Reject all open|Disable app/);
    const activity = await browser.get('/account/activity');
    expect(activity.html).toContain(`You rejected all open suggestions of ${app.id} (120).`);
  });

  it.each([0, 2, 1001])('reject nothing for a reason of %d characters', async (length) => {
    const reason = 'a'.repeat(length) + ' '.repeat(9);
    const ids = await suggest(await createAccount(server));
    const page = await browser.post(`${appPath()}/reject`, { reason });
    expect(page.status).toBe(422);
    expect(page.html).toContain('Enter a reason of 3 to 1,000 characters.');
    expect(await countByStatus(ids)).toEqual({ open: 1 });
  });

  it('block an author until a day', async () => {
    const author = await createAccount(server);
    const ids = await suggest(author);
    const form = { reason: REASON, until: '2100-01-31' };
    await expectStatus(browser.post(`${authorPath(author)}/block`, form), 303);
    expect(await server.entityManager.findOneByOrFail(Account, { id: author.id })).toMatchObject({
      blockedReason: REASON,
      blockedUntil: new Date('2100-01-31T00:00:00Z'),
    });
    expect(await listEvents(moderator.id)).toEqual([`moderation.account_blocked ${author.id}`]);
    const { html } = await browser.get(authorPath(author));
    expect(html).toContain(`Reason: ${REASON}`);
    expect(html).not.toContain('Block until …');
    await expectStatus(browser.post(`${authorPath(author)}/block`, { ...form, until: '2099-01-01' }), 403);
    await expectStatus(browser.post(`${authorPath(author)}/reject`, { reason: REASON }), 303);
    expect(await countByStatus(ids)).toEqual({ rejected: 1 });
  });

  it.each(['', 'tomorrow', '2020-01-01', '2100-13-01', '2100-01-01T00:00Z'])(
    'block nobody until "%s"',
    async (until) => {
      const author = await createAccount(server);
      await suggest(author);
      const page = await browser.post(`${authorPath(author)}/block`, { reason: REASON, until });
      expect(page.status).toBe(422);
      expect(page.html).toContain('Choose a day after today.');
      const found = await server.entityManager.findOneByOrFail(Account, { id: author.id });
      expect(found.blockedAt).toBeNull();
    },
  );

  it('do not block another moderator', async () => {
    const other = await createAccount(server, { role: 'moderator' });
    await suggest(other);
    expect((await browser.get(authorPath(other))).html).not.toContain('Block until …');
    await expectStatus(browser.post(`${authorPath(other)}/block`, { reason: REASON, until: '2100-01-01' }), 403);
    expect((await server.entityManager.findOneByOrFail(Account, { id: other.id })).blockedAt).toBeNull();
  });

  it('lock and unlock artworks and artists', async () => {
    const artist = await createArtist(server);
    for (const [type, { id }] of [
      ['marker', markers[0]!],
      ['artist', artist],
    ] as const) {
      const path = (what: string): string => `/moderation/locks?target=${id}&what=${what}`;
      expect((await browser.get(path('lock'))).html).toContain('Not locked:');
      await expectStatus(browser.post('/moderation/locks', { target: id, what: 'lock' }), 303);
      expect((await browser.get(path('lock'))).html).toContain('>Locked:');
      await expectStatus(browser.post('/moderation/locks', { target: id, what: 'unlock' }), 303);
      expect((await browser.get(path('unlock'))).html).toContain('Not locked:');
      const events = (await listEvents(moderator.id)).filter((event) => event.startsWith(type));
      expect(events.sort()).toEqual([`${type}.locked ${id}`, `${type}.unlocked ${id}`]);
    }
    for (const target of ['', 'mrk_unknown', 'usr_01JDEM00000000000000000001']) {
      await expectStatus(browser.get(`/moderation/locks?target=${target}`), 404);
    }
  });

  it.each([
    ['/moderation/people/usr_01JDEM00000000000000000001'],
    ['/moderation/authors/usr_unknown'],
    ['/moderation/authors/usr_01JDEM00000000000000000001'],
    ['/moderation/apps/app_01JDEM00000000000000000001/disable'],
  ])('do not exist at %s', async (path) => {
    await expectStatus(browser.get(path), 404);
  });

  it('page through authors', async () => {
    const authors = await Promise.all(Array.from({ length: 21 }, () => createAccount(server)));
    for (const author of authors) await suggest(author);
    const first = await browser.get('/moderation');
    expect(first.html).not.toContain(`>${authors[0]!.username}<`);
    const next = /rel="next" href="([^"]*)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect((await browser.get(next)).html).toContain(`>${authors[0]!.username}<`);
  });
});
