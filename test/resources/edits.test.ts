import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { Artist } from '../../src/artists/artist.entity.js';
import { Marker } from '../../src/markers/marker.entity.js';
import { RegionsService } from '../../src/markers/regions.service.js';
import { newAccount, newApp, newArtist, newMarker, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';

const UNKNOWN = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The Edits API', () => {
  let service: Service;
  let client: TestApp;
  let author: string;
  let authorAccount: Account;
  let moderator: string;
  let artwork: Marker;

  beforeAll(async () => {
    service = await Service.start();
    client = await newApp(service);
    await service.get(RegionsService).create('Halvenstad', [4.8, 52, 5.2, 52.3]);
    authorAccount = await newAccount(service);
    author = await tokenOf(authorAccount);
    moderator = await tokenOf(await newAccount(service, { role: 'moderator' }));
  });
  beforeEach(async () => {
    artwork = await newMarker(service, { title: 'Echo Wall', year: 2019 });
  });
  afterAll(() => service.stop());

  const tokenOf = async (account: Account): Promise<string> =>
    (await newTokens(service, { app: client.app, account })).access_token;
  const post = (path: string, token: string, body: unknown = {}): Promise<Answer> =>
    service.call('POST', `/api/edits${path}`, { token, body });
  const get = (path: string, token: string): Promise<Answer> => service.call('GET', `/api/edits${path}`, { token });
  const update = (changes: Record<string, unknown>, target = artwork): Record<string, unknown> => ({
    type: 'update',
    targetType: 'artwork',
    targetId: target.id,
    baseVersion: target.version,
    changes,
  });
  const suggest = async (body: Record<string, unknown>, token = author): Promise<string> => {
    const answer = await post('', token, body);
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  };
  const marker = (id = artwork.id): Promise<Marker> =>
    service.database.findOneOrFail(Marker, { where: { id }, relations: { artists: true } });
  const expectRefused = ({ status, body }: Answer, wanted: number, code: string, reason?: string): void => {
    expect({ status, code: body.code, reason: body.reason }).toEqual({ status: wanted, code, reason });
    expect(body.error).toMatch(/\.$/);
  };

  describe('POST /api/edits', () => {
    it('suggests a change: open, with what was and what should be, by whom and through which app', async () => {
      const answer = await post('', author, { ...update({ status: 'gone', year: 2019 }), comment: ' Painted over. ' });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe(`/api/edits/${answer.body.id}`);
      expect(answer.body).toMatchObject({
        type: 'update',
        status: 'open',
        targetType: 'artwork',
        targetId: artwork.id,
        baseVersion: 1,
        regionId: 'reg_halvenstad',
        changes: [{ field: 'status', from: 'present', to: 'gone' }],
        comment: 'Painted over.',
        author: { id: authorAccount.id, username: authorAccount.username },
        client: { id: client.app.id, name: client.app.name },
        decidedAt: null,
      });
      expect((await marker()).status).toBe('present');
    });

    it('tells an app that cannot read edits only what it wrote of', async () => {
      const { access_token } = await newTokens(service, {
        app: client.app,
        account: authorAccount,
        scopes: ['edits:write'],
      });
      const { body } = await post('', access_token, update({ title: 'Echo' }));
      expect(Object.keys(body).sort()).toEqual(['id', 'resultVersion', 'status', 'targetId']);
    });

    it.each([
      ['a creation with a target', { type: 'create', targetId: 'mrk_x' }, 'targetId'],
      ['an update without target', { targetId: undefined }, 'targetId'],
      ['an update without version', { baseVersion: undefined }, 'baseVersion'],
      [
        'a creation without title',
        { type: 'create', targetId: undefined, baseVersion: undefined, changes: { location: { lat: 1, lon: 1 } } },
        'changes.title',
      ],
      ['a deletion with changes', { type: 'delete' }, 'changes'],
      ['an unknown field', { changes: { owner: 'me' } }, 'changes.owner'],
      ['a title of null', { changes: { title: null } }, 'changes.title'],
      ['a title of 201 characters', { changes: { title: 'x'.repeat(201) } }, 'changes.title'],
      ['a title that turns text around', { changes: { title: 'a\u202eb' } }, 'changes.title'],
      ['a place off the globe', { changes: { location: { lat: 91, lon: 0 } } }, 'changes.location.lat'],
      ['an unknown status', { changes: { status: 'lost' } }, 'changes.status'],
      [
        'an address of an image that is no https',
        { changes: { imageUrl: 'http://x.example/a.png' } },
        'changes.imageUrl',
      ],
      ['a place as target', { targetType: 'place' }, 'targetType'],
    ])('refuses %s, naming it', async (_, change, path) => {
      const { status, body } = await post('', author, { ...update({ year: 2020 }), ...change });
      expect({ status, code: body.code, path: body.details[0].path }).toEqual({
        status: 400,
        code: 'invalid_request',
        path,
      });
    });

    it('refuses what would change nothing', async () => {
      expectRefused(await post('', author, update({ title: 'Echo Wall' })), 422, 'no_changes');
    });

    it('refuses a target that is not there, was deleted, or is a place', async () => {
      const unknown = { ...artwork, id: 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV' } as Marker;
      expectRefused(await post('', author, update({ year: 2020 }, unknown)), 404, 'not_found');
      const place = await newMarker(service, { placeType: 'gallery' });
      expectRefused(await post('', author, update({ year: 2020 }, place)), 404, 'not_found');
      const deletion = await suggest({ ...update({}), type: 'delete', changes: undefined });
      expect((await post(`/${deletion}/accept`, moderator)).status).toBe(200);
      expectRefused(await post('', author, update({ year: 2020 })), 410, 'gone');
    });

    it('refuses a blocked person, who may still look', async () => {
      const account = await newAccount(service);
      const token = await tokenOf(account);
      await service.get(AccountsService).block(account.username, 'A test.');
      expectRefused(await post('', token, update({ year: 2020 })), 403, 'not_allowed', 'account_blocked');
      expect((await get('/mine', token)).status).toBe(200);
    });
  });

  describe('GET /api/edits/mine and /api/edits/:id', () => {
    it("list the person's own, the newest first, a page at a time", async () => {
      const account = await newAccount(service);
      const token = await tokenOf(account);
      const ids: string[] = [];
      for (const year of [2001, 2002, 2003, 2004, 2005]) ids.unshift(await suggest(update({ year }), token));
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await get(`/mine?limit=2${cursor}`, token);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        if (body.page.nextCursor === null) break;
        cursor = `&cursor=${body.page.nextCursor}`;
      }
      expect(seen).toEqual(expect.arrayContaining(ids));
      expect(new Set(seen).size).toBe(5);
      expect((await get('/mine?status=accepted', token)).body.data).toEqual([]);
    });

    it('refuse the cursor of another list', async () => {
      await suggest(update({ year: 2001 }));
      await suggest(update({ year: 2002 }));
      const { nextCursor } = (await get('/mine?limit=1', author)).body.page;
      expect((await get(`/mine?limit=1&cursor=${nextCursor}`, author)).status).toBe(200);
      expectRefused(await get(`/mine?limit=1&status=open&cursor=${nextCursor}`, author), 400, 'invalid_cursor');
      expectRefused(await get(`/mine?limit=1&cursor=${nextCursor}`, moderator), 400, 'invalid_cursor');
    });

    it('show an edit to its author, and to who could review it through an app that reviews', async () => {
      const id = await suggest(update({ year: 2020 }));
      expect((await get(`/${id}`, author)).body.edit).toMatchObject({ id, status: 'open' });
      expect((await get(`/${id}`, moderator)).status).toBe(200);
      const account = await newAccount(service, { role: 'moderator' });
      const reading = await newTokens(service, { app: client.app, account, scopes: ['edits:read'] });
      expectRefused(await get(`/${id}`, reading.access_token), 404, 'not_found');
      expectRefused(await get(`/${id}`, await tokenOf(await newAccount(service))), 404, 'not_found');
      expectRefused(await get(`/${UNKNOWN}`, author), 404, 'not_found');
    });

    it('views: several at once, in order, the invisible and the unknown alike missing', async () => {
      const [first, second] = [await suggest(update({ year: 2020 })), await suggest(update({ year: 2021 }))];
      const other = await suggest(update({ year: 2022 }), await tokenOf(await newAccount(service)));
      const { status, body } = await post('/views', author, {
        ids: [second, other, UNKNOWN, first, second, 'nonsense'],
      });
      expect(status).toBe(200);
      expect(body.data.map(({ edit }: { edit: { id: string } }) => edit.id)).toEqual([second, first]);
      expect(body.missing).toEqual([other, UNKNOWN, 'nonsense']);
    });
  });

  describe('POST /api/edits/:id/accept', () => {
    it('makes the change, and counts the version', async () => {
      const artist = await newArtist(service);
      const id = await suggest(
        update({ title: 'Echo', artistIds: [artist.id], tags: ['fox'], location: { lat: 0, lon: -1.5 } }),
      );
      const { status, body } = await post(`/${id}/accept`, moderator, { comment: 'Seen it.' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        edit: { id, status: 'accepted', decisionComment: 'Seen it.', resultVersion: 2 },
        target: { id: artwork.id, version: 2 },
      });
      expect(await marker()).toMatchObject({
        title: 'Echo',
        tags: ['fox'],
        latE7: 0,
        lonE7: -15_000_000,
        version: 2,
        regionId: null,
      });
      expect((await marker()).artists.map(({ id: artistId }) => artistId)).toEqual([artist.id]);
    });

    it('makes a new artwork, and a new artist', async () => {
      const work = {
        type: 'create',
        targetType: 'artwork',
        changes: { title: 'New', location: { lat: 52.1, lon: 5 } },
      };
      const { body } = await post(`/${await suggest(work)}/accept`, moderator);
      expect(await marker(body.target.id as string)).toMatchObject({
        kind: 'artwork',
        title: 'New',
        version: 1,
        regionId: 'reg_halvenstad',
      });
      const person = { type: 'create', targetType: 'artist', changes: { name: 'Łukasz', country: 'PL' } };
      const accepted = await post(`/${await suggest(person)}/accept`, moderator);
      const { id } = accepted.body.target as { id: string };
      expect(await service.database.findOneByOrFail(Artist, { id })).toMatchObject({
        name: 'Łukasz',
        nameKey: 'łukasz',
      });
    });

    it('deletes, and what is deleted answers 410', async () => {
      const id = await suggest({ ...update({}), type: 'delete', changes: undefined });
      expect((await post(`/${id}/accept`, moderator)).status).toBe(200);
      expect((await service.call('GET', `/api/markers/${artwork.id}`, { token: author })).status).toBe(410);
    });

    it('refuses where somebody else changed the same field meanwhile, and the edit stays open', async () => {
      const [mine, theirs] = [
        await suggest(update({ year: 2020 })),
        await suggest(update({ year: 2021, title: 'Echo' })),
      ];
      expect((await post(`/${mine}/accept`, moderator)).status).toBe(200);
      const answer = await post(`/${theirs}/accept`, moderator);
      expectRefused(answer, 409, 'edit_conflict');
      expect(answer.body.details).toEqual([{ field: 'year', from: 2019, current: 2020, to: 2021 }]);
      expect(await marker()).toMatchObject({ title: 'Echo Wall', version: 2 });
      expect((await get(`/${theirs}`, author)).body.edit.status).toBe('open');
    });

    it('lets edits of other fields both land', async () => {
      const [one, other] = [await suggest(update({ year: 2020 })), await suggest(update({ title: 'Echo' }))];
      expect((await post(`/${one}/accept`, moderator)).status).toBe(200);
      expect((await post(`/${other}/accept`, moderator)).status).toBe(200);
      expect(await marker()).toMatchObject({ title: 'Echo', year: 2020, version: 3 });
    });

    it('by two reviewers at once: exactly one 200, the other 409', async () => {
      const second = await tokenOf(await newAccount(service, { role: 'moderator' }));
      const id = await suggest(update({ year: 2020 }));
      const answers = await Promise.all(
        [moderator, second, moderator, second].map((token) => post(`/${id}/accept`, token)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect((await marker()).version).toBe(2);
    });
  });

  describe('reject and revert', () => {
    it('reject: keeps why, and changes nothing', async () => {
      const id = await suggest(update({ year: 2020 }));
      const { status, body } = await post(`/${id}/reject`, moderator, { comment: 'It still stands.' });
      expect({ status, edit: body.edit.status }).toEqual({ status: 200, edit: 'rejected' });
      expect((await get(`/${id}`, author)).body.edit).toMatchObject({
        status: 'rejected',
        decisionComment: 'It still stands.',
      });
      expect((await marker()).year).toBe(2019);
    });

    it('reject: needs a reason', async () => {
      const id = await suggest(update({ year: 2020 }));
      for (const body of [{}, { comment: '' }, { comment: 'no' }]) {
        expectRefused(await post(`/${id}/reject`, moderator, body), 400, 'invalid_request');
      }
    });

    it('revert: by an inverse edit, linked both ways', async () => {
      const id = await suggest(update({ year: 2020 }));
      await post(`/${id}/accept`, moderator);
      const { status, body } = await post(`/${id}/revert`, moderator, { comment: 'It was 2019.' });
      expect(status).toBe(200);
      expect(body.edit).toMatchObject({ id, status: 'reverted', revertedBy: body.revertEdit.id });
      expect(body.revertEdit).toMatchObject({
        status: 'accepted',
        reverts: id,
        changes: [{ field: 'year', from: 2020, to: 2019 }],
      });
      expect(await marker()).toMatchObject({ year: 2019, version: 3 });
    });

    it('revert: of a creation deletes, and of a deletion brings back', async () => {
      const deletion = await suggest({ ...update({}), type: 'delete', changes: undefined });
      await post(`/${deletion}/accept`, moderator);
      expect((await post(`/${deletion}/revert`, moderator)).status).toBe(200);
      expect((await service.call('GET', `/api/markers/${artwork.id}`, { token: author })).status).toBe(200);
      const creation = await suggest({
        type: 'create',
        targetType: 'artwork',
        changes: { title: 'New', location: { lat: 1, lon: 1 } },
      });
      const { target } = (await post(`/${creation}/accept`, moderator)).body as { target: { id: string } };
      expect((await post(`/${creation}/revert`, moderator)).status).toBe(200);
      expect((await service.call('GET', `/api/markers/${target.id}`, { token: author })).status).toBe(410);
    });

    it('revert: refuses where the field was changed again', async () => {
      const id = await suggest(update({ year: 2020 }));
      await post(`/${id}/accept`, moderator);
      const later = await suggest(update({ year: 2021 }, await marker()));
      await post(`/${later}/accept`, moderator);
      expectRefused(await post(`/${id}/revert`, moderator), 409, 'revert_conflict');
    });
  });

  describe('A decision by somebody who may not, or on an edit that is decided,', () => {
    it.each(['accept', 'reject', 'revert'])('%s: an unknown edit is 404', async (action) => {
      expectRefused(await post(`/${UNKNOWN}/${action}`, moderator, { comment: 'A reason.' }), 404, 'not_found');
    });

    it.each(['accept', 'reject', 'revert'])("%s: one's own is own_edit, even for a moderator", async (action) => {
      const id = await suggest(update({ year: 2020 }), moderator);
      expectRefused(
        await post(`/${id}/${action}`, moderator, { comment: 'A reason.' }),
        403,
        'not_allowed',
        'own_edit',
      );
    });

    it.each(['accept', 'reject', 'revert'])('%s: a member is role_too_low', async (action) => {
      const id = await suggest(update({ year: 2020 }));
      const member = await tokenOf(await newAccount(service));
      expectRefused(
        await post(`/${id}/${action}`, member, { comment: 'A reason.' }),
        403,
        'not_allowed',
        'role_too_low',
      );
    });

    it.each(['accept', 'reject', 'revert'])('%s: a role elsewhere is region_not_assigned', async (action) => {
      const id = await suggest(update({ year: 2020 }));
      const account = await newAccount(service, { role: 'trusted', regions: ['reg_elsewhere'] });
      const answer = await post(`/${id}/${action}`, await tokenOf(account), { comment: 'A reason.' });
      expectRefused(answer, 403, 'not_allowed', 'region_not_assigned');
    });

    it.each(['accept', 'reject', 'revert'])('%s: a blocked moderator is account_blocked, at once', async (action) => {
      const id = await suggest(update({ year: 2020 }));
      const account = await newAccount(service, { role: 'moderator' });
      const token = await tokenOf(account);
      await service.get(AccountsService).block(account.username, 'A test.');
      expectRefused(
        await post(`/${id}/${action}`, token, { comment: 'A reason.' }),
        403,
        'not_allowed',
        'account_blocked',
      );
    });

    it('is 409, and leaves the edit as it is', async () => {
      const id = await suggest(update({ year: 2020 }));
      expectRefused(await post(`/${id}/revert`, moderator), 409, 'edit_not_accepted');
      await post(`/${id}/reject`, moderator, { comment: 'A reason.' });
      expectRefused(await post(`/${id}/accept`, moderator), 409, 'edit_not_open');
      expectRefused(await post(`/${id}/reject`, moderator, { comment: 'Another.' }), 409, 'edit_not_open');
      expectRefused(await post(`/${id}/revert`, moderator), 409, 'edit_not_accepted');
      expect((await get(`/${id}`, author)).body.edit).toMatchObject({
        status: 'rejected',
        decisionComment: 'A reason.',
      });
    });

    it('trusted where they are trusted, decides', async () => {
      const id = await suggest(update({ year: 2020 }));
      const trusted = await newAccount(service, { role: 'trusted', regions: ['reg_halvenstad'] });
      expect((await post(`/${id}/accept`, await tokenOf(trusted))).status).toBe(200);
    });
  });

  it('POST /api/edits/evaluate-permissions: allowed is what the person and the app may (spec §5, rule 5)', async () => {
    const id = await suggest(update({ year: 2020 }));
    const evaluate = async (token: string): Promise<any> =>
      // eslint-disable-line @typescript-eslint/no-explicit-any
      (await post('/evaluate-permissions', token, { items: [{ editId: id }, { editId: UNKNOWN }] })).body.data;
    const [forModerator, unknown] = await evaluate(moderator);
    expect(forModerator.actions.accept).toEqual({ allowed: true, person: true, app: true });
    expect(forModerator.actions.revert).toEqual({
      allowed: false,
      person: false,
      app: true,
      reason: 'edit_not_accepted',
    });
    expect(unknown).toEqual({ editId: UNKNOWN, found: false });
    const [forAuthor] = await evaluate(author);
    expect(forAuthor.actions.accept).toEqual({ allowed: false, person: false, app: true, reason: 'own_edit' });
    const writing = await newTokens(service, { app: client.app, account: authorAccount, scopes: ['edits:write'] });
    expect((await evaluate(writing.access_token))[0].actions.accept.app).toBe(false);
    const stranger = await tokenOf(await newAccount(service));
    expect((await evaluate(stranger))[0]).toEqual({ editId: id, found: false });
  });
});
