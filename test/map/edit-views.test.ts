import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { ResponseBody } from '../support/test-server.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Edit views', () => {
  let edits: EditsFixture;
  /** The access token of an account that is new in each test. */
  let ownToken: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(async () => {
    await edits.createArtwork();
    ownToken = await person();
  });
  afterAll(() => edits.server.stop());

  async function person(role: Account['role'] = 'member', regions: string[] = []): Promise<string> {
    return edits.issueAccessToken(await createAccount(edits.server, { role, regions }));
  }

  async function views(token: string, filter: object, rest: object = {}): Promise<string[]> {
    const { status, body } = await edits.post('/views', token, { filter, limit: 100, ...rest });
    expect({ status, missing: body.missing }).toEqual({ status: 200, missing: [] });
    return body.data.map(({ edit }: ResponseBody) => edit.id as string);
  }

  const at = (lat: number, lon: number): Promise<Marker> => createMarker(edits.server, { location: { lat, lon } });
  const ownEdit = (changes: Record<string, unknown>, target?: Marker): Promise<string> =>
    edits.suggestEdit(edits.buildUpdate(changes, target), ownToken);
  function artist({ id }: Artist, changes: object = { bio: 'A crew.' }): Promise<string> {
    return edits.suggestEdit({ type: 'update', targetType: 'artist', targetId: id, baseVersion: 1, changes }, ownToken);
  }

  it('GET /api/edits/:id returns the summary, the difference, the target and the permissions', async () => {
    const id = await ownEdit({ status: 'gone', year: 2020, title: 'Echo' });
    const { status, body } = await edits.get(`/${id}`, ownToken);
    expect({ status, conflicted: body.conflicted }).toEqual({ status: 200, conflicted: false });
    expect(body.summary.split('; ').sort()).toEqual([
      'Status: present → gone',
      'Title: Echo Wall → Echo',
      'Year: 2019 → 2020',
    ]);
    expect(body.target).toEqual({ id: edits.artwork.id, version: 1, title: 'Echo Wall' });
    expect(body.permissions).toEqual([
      { action: 'supersede', allowed: true },
      ...['accept', 'reject', 'revert'].map((action) => ({ action, allowed: false, reason: 'own_edit' })),
    ]);
    await edits.accept(await edits.suggestEdit(edits.buildUpdate({ year: 2021, title: 'Echo' })));
    const after = (await edits.get(`/${id}`, ownToken)).body;
    expect({ conflicted: after.conflicted, version: after.target.version }).toEqual({ conflicted: true, version: 2 });
    await edits.decide('reject', id);
    expect((await edits.get(`/${id}`, ownToken)).body.conflicted).toBe(false);
    expect(after.diff).toHaveLength(3);
    expect(after.diff).toEqual(
      expect.arrayContaining([
        { field: 'status', label: 'Status', from: 'present', to: 'gone', current: 'present', state: 'clean' },
        { field: 'year', label: 'Year', from: 2019, to: 2020, current: 2021, state: 'conflict' },
        { field: 'title', label: 'Title', from: 'Echo Wall', to: 'Echo', current: 'Echo', state: 'alreadyApplied' },
      ]),
    );
  });

  describe('POST /api/edits/views', () => {
    it.each([
      ['neither ids nor a filter', {}],
      ['both', { ids: [UNKNOWN_EDIT_ID], filter: { which: 'mine' } }],
      ['no id', { ids: [] }],
      ['101 ids', { ids: Array(101).fill(UNKNOWN_EDIT_ID) }],
      ['others', { filter: { which: 'all' } }],
      ['an unknown status', { filter: { which: 'mine', status: ['lost'] } }],
      ['a bounding box of three numbers', { filter: { which: 'mine', bbox: [1, 2, 3] } }],
      ['a bounding box outside the globe', { filter: { which: 'mine', bbox: [1, 2, 3, 91] } }],
      ['a malformed time', { filter: { which: 'mine', createdSince: 'today' } }],
      ['an unknown include', { ids: [UNKNOWN_EDIT_ID], include: ['author'] }],
      ['ids of null', { ids: null }],
      ['a filter of null', { filter: null }],
      ['an include of null', { ids: [UNKNOWN_EDIT_ID], include: null }],
      ['a target of null', { filter: { which: 'mine', targetId: null } }],
      ['a region of null', { filter: { which: 'mine', regionId: null } }],
      ['a target of NUL', { filter: { which: 'mine', targetId: '\u0000' } }],
      ['the same status twice', { filter: { which: 'mine', status: ['open', 'open'] } }],
    ])('rejects %s', async (_, body) => {
      expectApiError(await edits.post('/views', ownToken, body), 400, 'invalid_request');
    });

    it('includes the target and the permissions only on request', async () => {
      const ids = [await ownEdit({ year: 2020 })];
      const keys = async (include?: string[]): Promise<string[]> =>
        Object.keys((await edits.post('/views', ownToken, { ids, ...(include && { include }) })).body.data[0]).sort();
      const always = ['authorBlocked', 'conflicted', 'diff', 'edit', 'summary'];
      expect(await keys()).toEqual(always);
      expect(await keys(['target'])).toEqual([...always, 'target']);
      expect(await keys(['permissions'])).toEqual([...always, 'permissions'].sort());
    });

    it('mine: filters the edits of the account by status, target, region, bounding box and time', async () => {
      const [first, west, east] = [edits.artwork, await at(10, -179.5), await at(10, 179.5)];
      const since = new Date(Date.now() + 3_600_000).toISOString();
      const ids = [
        await ownEdit({ year: 2020 }),
        await ownEdit({ year: 2020 }, west),
        await ownEdit({ year: 2020 }, east),
      ];
      const ofArtist = await artist(await createArtist(edits.server));
      await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await edits.decide('reject', ids[0]!);
      const findIds = async (filter: object): Promise<string[]> =>
        (await views(ownToken, { which: 'mine', ...filter })).sort();
      expect(await findIds({})).toEqual([...ids, ofArtist].sort());
      expect(await findIds({ status: ['rejected'] })).toEqual([ids[0]]);
      expect(await findIds({ status: ['accepted', 'superseded'] })).toEqual([]);
      expect(await findIds({ targetType: 'artist' })).toEqual([ofArtist]);
      expect(await findIds({ targetId: first.id })).toEqual([ids[0]]);
      expect(await findIds({ regionId: 'reg_halvenstad' })).toEqual([ids[0]]);
      expect(await findIds({ bbox: [179, 9, -179, 11] })).toEqual([ids[1], ids[2]].sort());
      const long = '2020-01-01T00:00:00Z';
      expect(await findIds({ bbox: [179, 9, -179, 11], createdSince: long })).toEqual([ids[1], ids[2]].sort());
      expect(await findIds({ bbox: [-179, 9, 179, 11] })).toEqual([]);
      expect(await findIds({ createdSince: since })).toEqual([]);
      expect(await findIds({ createdSince: '2020-01-01T00:00:00Z' })).toHaveLength(4);
      const listed = async (query: string): Promise<string[]> =>
        (await edits.get(`/mine?${query}`, ownToken)).body.data.map(({ id }: ResponseBody) => id as string);
      expect(await listed('targetType=artist')).toEqual([ofArtist]);
      expect(await listed(`targetId=${first.id}&status=rejected`)).toEqual([ids[0]]);
      expect(await listed(`targetId=${first.id}&status=open`)).toEqual([]);
      expect(await listed('type=delete,create')).toEqual([]);
      expect(await listed(`createdSince=${since}`)).toEqual([]);
      expect((await listed('sort=updatedAt'))[0]).toBe(ids[0]);
    });

    it('reviewable: returns pages, the oldest first, and skips edits that the account cannot review', async () => {
      const reviewer = await person('trusted', ['reg_halvenstad']);
      const expected: string[] = [];
      for (const year of [2001, 2002, 2003]) {
        expected.push(await ownEdit({ year }));
        await edits.suggestEdit({ ...edits.buildDeletion(), targetId: (await at(52.1, 5.02)).id }, ownToken);
        await edits.suggestEdit(edits.buildUpdate({ title: `Own ${year}` }), reviewer);
        await artist(await createArtist(edits.server));
        await ownEdit({ location: { lat: 1, lon: year / 100 } });
        await ownEdit({ year }, await at(10, 10));
      }
      const targetId = edits.artwork.id;
      const results: string[] = [];
      for (let cursor: string | null = null, page = 0; page === 0 || cursor; page++) {
        const body: ResponseBody = { filter: { which: 'reviewable', targetId }, limit: 1, cursor };
        const { body: response } = await edits.post('/views', reviewer, body);
        results.push(...response.data.map(({ edit }: ResponseBody) => edit.id as string));
        cursor = response.page.nextCursor;
      }
      expect(results).toEqual(expected);
      const all = await edits.post('/views', reviewer, { filter: { which: 'reviewable' }, limit: 100 });
      expect(
        all.body.data.every(({ edit }: ResponseBody) => edit.type !== 'delete' && edit.targetType === 'artwork'),
      ).toBe(true);
    });

    it('reviewable: omits locked targets for trusted accounts, and other regions for moderators', async () => {
      const [trusted, moderator] = [await person('trusted', ['*']), await person('moderator', ['reg_halvenstad'])];
      const [first, second] = [await ownEdit({ year: 2020 }), await ownEdit({ year: 2020 }, await at(10, 10))];
      const ofArtist = await artist(await createArtist(edits.server));
      const stored = async (token: string): Promise<boolean[]> => {
        const ids = await views(token, { which: 'reviewable', createdSince: '2020-01-01T00:00:00Z' }, { limit: 100 });
        return [first, second, ofArtist].map((id) => ids.includes(id));
      };
      expect(await stored(trusted)).toEqual([true, true, true]);
      const { id } = edits.artwork;
      await edits.server.get(TransactionService).run((tx) => tx.update(Marker, { id }, { lockedAt: new Date() }));
      expect(await stored(trusted)).toEqual([false, true, true]);
      expect(await stored(moderator)).toEqual([true, false, true]);
      expect(await stored(await person('moderator', ['reg_elsewhere']))).toEqual([false, false, true]);
      expect(await stored(ownToken)).toEqual([false, false, false]);
      expect(await views(ownToken, { which: 'reviewable' })).toEqual([]);
    });

    it('reviewable: requires edits:review, and treats an invisible edit as unknown', async () => {
      const reading = await edits.issueAccessToken(await createAccount(edits.server, { role: 'moderator' }), [
        'edits:read',
      ]);
      const { status, body } = await edits.post('/views', reading, { filter: { which: 'reviewable' } });
      expect({ status, body }).toEqual({
        status: 403,
        body: { error: 'This app needs the edits:review scope to do that.' },
      });
      const ids = [await ownEdit({ year: 2020 }), UNKNOWN_EDIT_ID];
      expect((await edits.post('/views', reading, { ids })).body).toMatchObject({ data: [], missing: ids });
    });
  });

  describe('A decision', () => {
    it('is rejected when the reviewer saw another version', async () => {
      const [one, other] = [await ownEdit({ year: 2020 }), await ownEdit({ title: 'Echo' })];
      await edits.accept(one);
      for (const [expectedTargetVersion, status] of [
        [1, 409],
        [3, 409],
        [2, 200],
      ]) {
        expect((await edits.post(`/${other}/accept`, edits.moderatorToken, { expectedTargetVersion })).status).toBe(
          status,
        );
      }
    });

    it('is rejected with unknown_artist when the artist was deleted', async () => {
      const { id: artistId } = await createArtist(edits.server);
      const id = await ownEdit({ artistIds: [artistId], year: 2020 });
      const gone = { type: 'delete', targetType: 'artist', targetId: artistId, baseVersion: 1 };
      await edits.accept(await edits.suggestEdit(gone, ownToken));
      expectApiError(await edits.decide('accept', id), 422, 'unknown_artist');
      expect(await edits.findMarker()).toMatchObject({ year: 2019, version: 1, openEditCount: 1, artists: [] });
      expect((await edits.get(`/${id}`, ownToken)).body.edit.status).toBe('open');
    });

    it('does not delete an artist that has artworks, and does not revert its creation', async () => {
      const creation = await edits.suggestEdit(
        { type: 'create', targetType: 'artist', changes: { name: 'Ada' } },
        ownToken,
      );
      const { id } = (await edits.accept(creation)).target;
      const request = { type: 'delete', targetType: 'artist', targetId: id, baseVersion: 1 };
      const deletion = await edits.suggestEdit(request, ownToken);
      await createMarker(edits.server, { artistIds: [id] });
      expectApiError(await edits.decide('accept', deletion), 409, 'artist_has_artworks');
      expectApiError(await edits.decide('revert', creation), 409, 'artist_has_artworks');
      expectApiError(await edits.post('', edits.authorToken, request), 409, 'artist_has_artworks');
    });

    it('does not revert over a later edit, which it names for each field, and reverts a revert', async () => {
      const first = await ownEdit({ year: 2020, title: 'Echo', tags: ['fox'] });
      await edits.accept(first);
      const later = await ownEdit({ year: 2021 }, await edits.findMarker());
      await edits.accept(later);
      const response = await edits.decide('revert', first);
      expectApiError(response, 409, 'revert_conflict');
      expect(response.body.details).toEqual([{ field: 'year', from: 2020, current: 2021, to: 2019, editId: later }]);
      const { revertEdit } = (await edits.decide('revert', later)).body;
      expect((await edits.decide('revert', revertEdit.id, await person('moderator', ['*']))).status).toBe(200);
      expect(await edits.findMarker()).toMatchObject({ year: 2021, title: 'Echo', version: 5 });
    });

    it('does not restore an artwork of a deleted artist, as the permissions predict', async () => {
      const { id: artistId } = await createArtist(edits.server);
      edits.artwork = await createMarker(edits.server, { artistIds: [artistId] });
      const deletion = await edits.suggestEdit(edits.buildDeletion(), ownToken);
      await edits.accept(deletion);
      await edits.accept(
        await edits.suggestEdit({ type: 'delete', targetType: 'artist', targetId: artistId, baseVersion: 1 }, ownToken),
      );
      const { body } = await edits.get(`/${deletion}`, edits.moderatorToken);
      expectApiError(await edits.decide('revert', deletion), 422, 'unknown_artist');
      expect(body.permissions[3]).toEqual({ action: 'revert', allowed: false, reason: 'unknown_artist' });
    });
  });
});
