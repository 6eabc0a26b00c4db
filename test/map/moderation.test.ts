import { describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { PageResponse } from '../support/browser-client.js';
import { createAccount, createArtist, createMarker, registerApp } from '../support/factories.js';
import { DAY_MS } from '../support/fake-clock.js';
import { expectStatus, findNextPage, ModerationFixture, REASON } from '../support/moderation-fixture.js';

describe('The pages of moderators', () => {
  const moderation = ModerationFixture.use();

  it('list authors and apps with their numbers, the latest first', async () => {
    const [first, second] = [await createAccount(moderation.server), await createAccount(moderation.server)];
    await moderation.suggest(first, { count: 2 });
    await moderation.suggest(second);
    const { html } = await moderation.browser.get('/moderation');
    expect(html.indexOf(second.username)).toBeLessThan(html.indexOf(first.username));
    expect(html).toContain('Open: 2 · Accepted: 0 · Rejected: 0');
    expect(html).toContain('Open: 3 · Accepted: 0 · Rejected: 0');
    expect((await moderation.browser.get('/account')).html).toContain('href="/moderation"');
  });

  it('count open suggestions without those of blocked authors, which are marked and can be decided', async () => {
    const author = await createAccount(moderation.server);
    const ids = await moderation.suggest(author, { count: 3 });
    const readCounts = async (): Promise<(number | undefined)[]> => {
      const { html } = await moderation.browser.get('/moderation');
      const counts = /Open suggestions: (\d+)\.(?: Not counted: (\d+) by blocked people\.)?/.exec(html)!;
      return counts.slice(1).map((count) => (count === undefined ? undefined : Number(count)));
    };
    const [open, blocked] = await readCounts();
    const block = { blockedAt: new Date(), blockedReason: REASON };
    const update = (columns: Partial<Account>): Promise<unknown> =>
      moderation.server.get(TransactionService).run((tx) => tx.update(Account, { id: author.id }, columns));
    await update(block);
    expect(await readCounts()).toEqual([open! - 3, (blocked ?? 0) + 3]);
    expect((await moderation.browser.get('/moderation')).html).toContain(
      'Open: 3 · Accepted: 0 · Rejected: 0 · Blocked',
    );
    await update({ blockedUntil: new Date(Date.now() - DAY_MS) });
    expect(await readCounts()).toEqual([open, blocked]);
    await update({ blockedUntil: null });
    await expectStatus(moderation.browser.post(`/moderation/authors/${author.id}/reject`, { reason: REASON }), 303);
    expect(await moderation.countByStatus(ids)).toEqual({ rejected: 3 });
  });

  it('stop an app and reject its suggestions for many people, and nothing else', async () => {
    const honest = await registerApp(moderation.server);
    const authors = await Promise.all(Array.from({ length: 12 }, () => createAccount(moderation.server)));
    const ids: string[] = [];
    for (const author of authors) ids.push(...(await moderation.suggest(author, { count: 10 })));
    const kept = await moderation.suggest(authors[0]!, { app: honest, marker: moderation.markers[1] });
    expect((await moderation.browser.get(moderation.appPath)).html).toContain('Open: 120');
    await expectStatus(moderation.browser.post(`${moderation.appPath}/disable`, {}), 303);
    await expectStatus(moderation.browser.post(`${moderation.appPath}/reject`, { reason: REASON }), 303);
    expect(await moderation.countByStatus(ids)).toEqual({ rejected: 120 });
    expect(await moderation.countByStatus(kept)).toEqual({ open: 1 });
    const edit = await moderation.server.entityManager.findOneByOrFail(Edit, { id: ids[0]! });
    expect(edit).toMatchObject({ decidedById: moderation.moderator.id, decisionComment: REASON });
    const app = await moderation.server.entityManager.findOneByOrFail(App, { id: moderation.rogue.app.id });
    expect(app).toMatchObject({ disabledBy: 'operator' });
    const [disabled] = await moderation.server.entityManager.find(AuditEvent, {
      where: { appId: app.id, type: 'app.disabled' },
    });
    expect(disabled).toMatchObject({ accountId: null, detail: null, ipAddress: null });
    expect((await moderation.listEvents(moderation.moderator.id)).sort()).toEqual([
      'moderation.app_disabled null',
      `moderation.suggestions_rejected ${app.id} (100)`,
      `moderation.suggestions_rejected ${app.id} (20)`,
    ]);
    const { html } = await moderation.browser.get(moderation.appPath);
    expect(html).toContain('Open: 0');
    expect(html).not.toMatch(/Reject all open|Disable app/);
    const activity = await moderation.browser.get('/account/activity');
    expect(activity.html).toContain(`You rejected open suggestions of ${app.id} (100).`);
  });

  it.each(['', 'ok', 'a'.repeat(1001), 'abc\0def', 'an \u202E override', '\u200B\u200B\u200B'])(
    'reject nothing for the reason %j',
    async (text) => {
      const reason = text + ' '.repeat(9);
      const ids = await moderation.suggest(await createAccount(moderation.server));
      const page = await moderation.browser.post(`${moderation.appPath}/reject`, { reason });
      expect(page.status).toBe(422);
      expect(page.html).toContain('Enter a reason of 3 to 1,000 characters.');
      expect(await moderation.countByStatus(ids)).toEqual({ open: 1 });
    },
  );

  it('block an author until a day', async () => {
    const author = await createAccount(moderation.server);
    const ids = await moderation.suggest(author);
    const form = { reason: REASON, until: '2100-01-31' };
    await expectStatus(moderation.browser.post(`${moderation.getAuthorPath(author)}/block`, form), 303);
    expect(await moderation.findAccount(author)).toMatchObject({
      blockedReason: REASON,
      blockedUntil: new Date('2100-01-31T00:00:00Z'),
    });
    expect(await moderation.listEvents(moderation.moderator.id)).toEqual([`moderation.account_blocked ${author.id}`]);
    const { html } = await moderation.browser.get(moderation.getAuthorPath(author));
    expect(html).toContain(`Reason: ${REASON}`);
    expect(html).not.toContain('Block until …');
    await expectStatus(
      moderation.browser.post(`${moderation.getAuthorPath(author)}/block`, { ...form, until: '2099-01-01' }),
      403,
    );
    await expectStatus(moderation.browser.post(`${moderation.getAuthorPath(author)}/reject`, { reason: REASON }), 303);
    expect(await moderation.countByStatus(ids)).toEqual({ rejected: 1 });
  });

  it.each(['', 'tomorrow', '2020-01-01', '2100-13-01', '2100-02-31', '2100-01-01T00:00Z'])(
    'block no author until "%s"',
    async (until) => {
      const author = await createAccount(moderation.server);
      await moderation.suggest(author);
      const page = await moderation.browser.post(`${moderation.getAuthorPath(author)}/block`, {
        reason: REASON,
        until,
      });
      expect(page.status).toBe(422);
      expect(page.html).toContain('Choose a day after today in UTC.');
      const found = await moderation.findAccount(author);
      expect(found.blockedAt).toBeNull();
    },
  );

  it('keep an author in sight after old suggestions were rejected', async () => {
    const author = await createAccount(moderation.server);
    const [id] = await moderation.suggest(author);
    const createdAt = new Date(Date.now() - 40 * DAY_MS);
    await moderation.server.get(TransactionService).run((tx) => tx.update(Edit, { id: id! }, { createdAt }));
    await expectStatus(moderation.browser.post(`${moderation.getAuthorPath(author)}/reject`, { reason: REASON }), 303);
    expect((await moderation.browser.get(moderation.getAuthorPath(author))).html).toContain('Rejected: 1');
    await expectStatus(
      moderation.browser.post(`${moderation.getAuthorPath(author)}/block`, { reason: REASON, until: '2100-01-31' }),
      303,
    );
  });

  it('page through rejected suggestions', async () => {
    for (const author of [
      await createAccount(moderation.server),
      await createAccount(moderation.server),
      await createAccount(moderation.server),
    ]) {
      await moderation.suggest(author, { count: 18 });
    }
    await moderation.browser.post(`${moderation.appPath}/reject`, { reason: REASON });
    const first = await moderation.browser.get(`${moderation.appPath}?status=rejected`);
    const listItems = ({ html }: PageResponse): number => html.split('/account/edits/').length - 1;
    expect(listItems(first)).toBe(50);
    expect(listItems(await moderation.browser.get(findNextPage(first)))).toBe(4);
  });

  it('disable an app that its owner disabled', async () => {
    const owner = await createAccount(moderation.server);
    const { app } = await registerApp(moderation.server, { ownerId: owner.id });
    await moderation.server.get(AppsService).disable(app.id, owner.id);
    await expectStatus(moderation.browser.post(`/moderation/apps/${app.id}/disable`, {}), 303);
    await moderation.server.get(AppsService).enable(app.id, owner.id);
    expect(await moderation.server.entityManager.findOneByOrFail(App, { id: app.id })).toMatchObject({
      disabledBy: 'operator',
    });
    await expectStatus(moderation.browser.get(`/moderation/apps/${app.id}/disable`), 403);
  });

  it('lock and unlock artworks and artists', async () => {
    const artist = await createArtist(moderation.server);
    for (const [type, { id }] of [
      ['marker', moderation.markers[0]],
      ['artist', artist],
    ] as const) {
      const path = (what: string): string => `/moderation/locks?target=${id}&what=${what}`;
      expect((await moderation.browser.get(path('lock'))).html).toContain('Not locked:');
      await expectStatus(moderation.browser.post('/moderation/locks', { target: id, what: 'lock' }), 303);
      expect((await moderation.browser.get(path('lock'))).html).toContain('>Locked:');
      await expectStatus(moderation.browser.post('/moderation/locks', { target: id, what: 'unlock' }), 303);
      expect((await moderation.browser.get(path('unlock'))).html).toContain('Not locked:');
      const events = (await moderation.listEvents(moderation.moderator.id)).filter((event) => event.startsWith(type));
      expect(events.sort()).toEqual([`${type}.locked ${id}`, `${type}.unlocked ${id}`]);
    }
    await expectStatus(moderation.browser.get(`/moderation/locks?target=+${artist.id}+`), 200);
    await expectStatus(moderation.browser.post('/moderation/locks', { target: artist.id, what: 'lock' }), 303);
    await moderation.browser.post('/moderation/locks', { target: artist.id, what: 'toggle' });
    expect((await moderation.browser.get(`/moderation/locks?target=${artist.id}`)).html).toContain('>Locked:');
    const { id: placeId } = await createMarker(moderation.server);
    await moderation.server.get(TransactionService).run((tx) => tx.update(Marker, { id: placeId }, { kind: 'place' }));
    for (const target of ['', 'mrk_unknown', 'usr_01JDEM00000000000000000001', placeId]) {
      await expectStatus(moderation.browser.get(`/moderation/locks?target=${target}`), 404);
      await expectStatus(moderation.browser.post('/moderation/locks', { target, what: 'lock' }), 404);
    }
  });

  it.each([
    ['/moderation/people/usr_01JDEM00000000000000000001'],
    ['/moderation/authors/usr_unknown'],
    ['/moderation/authors/usr_01JDEM00000000000000000001'],
    ['/moderation/apps/app_01JDEM00000000000000000001/disable'],
    ['/moderation/apps/app_01JDEM00000000000000000001/ban'],
    ['/moderation/authors/usr_%00'],
  ])('do not exist at %s', async (path) => {
    await expectStatus(moderation.browser.get(path), 404);
  });

  it('page through authors', async () => {
    const authors = await Promise.all(Array.from({ length: 21 }, () => createAccount(moderation.server)));
    for (const author of authors) await moderation.suggest(author);
    const first = await moderation.browser.get('/moderation');
    expect(first.html).not.toContain(`>${authors[0]!.username}<`);
    expect((await moderation.browser.get(findNextPage(first))).html).toContain(`>${authors[0]!.username}<`);
  });
});
