import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { TestResponse, ResponseBody } from '../support/test-server.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Looking at edits, and what decisions come to', () => {
  let edits: EditsFixture;
  /** Somebody new for each test, so that what others left is not theirs. */
  let me: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(async () => {
    await edits.createArtwork();
    me = await person();
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
  const mine = (changes: Record<string, unknown>, target?: Marker): Promise<string> =>
    edits.suggestEdit(edits.buildUpdate(changes, target), me);
  const decide = (action: string, id: string, token = edits.moderatorToken): Promise<TestResponse> =>
    edits.post(`/${id}/${action}`, token, { comment: 'A reason.' });

  async function accept(id: string): Promise<ResponseBody> {
    const { status, body } = await decide('accept', id);
    expect(status).toBe(200);
    return body;
  }

  function artist({ id }: Artist, changes: object = { bio: 'A crew.' }): Promise<string> {
    return edits.suggestEdit({ type: 'update', targetType: 'artist', targetId: id, baseVersion: 1, changes }, me);
  }

  it('GET /api/edits/:id shows a summary, the difference, the target and the permissions', async () => {
    const id = await mine({ status: 'gone', year: 2020, title: 'Echo' });
    const { status, body } = await edits.get(`/${id}`, me);
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
    await accept(await edits.suggestEdit(edits.buildUpdate({ year: 2021, title: 'Echo' })));
    const after = (await edits.get(`/${id}`, me)).body;
    expect({ conflicted: after.conflicted, version: after.target.version }).toEqual({ conflicted: true, version: 2 });
    await decide('reject', id);
    expect((await edits.get(`/${id}`, me)).body.conflicted).toBe(false);
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
      ['a box of three', { filter: { which: 'mine', bbox: [1, 2, 3] } }],
      ['a box off the globe', { filter: { which: 'mine', bbox: [1, 2, 3, 91] } }],
      ['a time that is none', { filter: { which: 'mine', createdSince: 'today' } }],
      ['an unknown include', { ids: [UNKNOWN_EDIT_ID], include: ['author'] }],
      ['ids of null', { ids: null }],
      ['a filter of null', { filter: null }],
      ['an include of null', { ids: [UNKNOWN_EDIT_ID], include: null }],
      ['a target of null', { filter: { which: 'mine', targetId: null } }],
      ['a region of null', { filter: { which: 'mine', regionId: null } }],
      ['a target of NUL', { filter: { which: 'mine', targetId: '\u0000' } }],
      ['the same status twice', { filter: { which: 'mine', status: ['open', 'open'] } }],
    ])('refuses %s', async (_, body) => {
      expectApiError(await edits.post('/views', me, body), 400, 'invalid_request');
    });

    it('adds target and permissions only where they are asked for', async () => {
      const ids = [await mine({ year: 2020 })];
      const keys = async (include?: string[]): Promise<string[]> =>
        Object.keys((await edits.post('/views', me, { ids, ...(include && { include }) })).body.data[0]).sort();
      const always = ['authorBlocked', 'conflicted', 'diff', 'edit', 'summary'];
      expect(await keys()).toEqual(always);
      expect(await keys(['target'])).toEqual([...always, 'target']);
      expect(await keys(['permissions'])).toEqual([...always, 'permissions'].sort());
    });

    it('mine: by status, target, region, box and time, and never of others', async () => {
      const [here, west, east] = [edits.artwork, await at(10, -179.5), await at(10, 179.5)];
      const since = new Date(Date.now() + 3_600_000).toISOString();
      const ids = [await mine({ year: 2020 }), await mine({ year: 2020 }, west), await mine({ year: 2020 }, east)];
      const ofArtist = await artist(await createArtist(edits.server));
      await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await decide('reject', ids[0]!);
      const found = async (filter: object): Promise<string[]> => (await views(me, { which: 'mine', ...filter })).sort();
      expect(await found({})).toEqual([...ids, ofArtist].sort());
      expect(await found({ status: ['rejected'] })).toEqual([ids[0]]);
      expect(await found({ status: ['accepted', 'superseded'] })).toEqual([]);
      expect(await found({ targetType: 'artist' })).toEqual([ofArtist]);
      expect(await found({ targetId: here.id })).toEqual([ids[0]]);
      expect(await found({ regionId: 'reg_halvenstad' })).toEqual([ids[0]]);
      expect(await found({ bbox: [179, 9, -179, 11] })).toEqual([ids[1], ids[2]].sort());
      const long = '2020-01-01T00:00:00Z';
      expect(await found({ bbox: [179, 9, -179, 11], createdSince: long })).toEqual([ids[1], ids[2]].sort());
      expect(await found({ bbox: [-179, 9, 179, 11] })).toEqual([]);
      expect(await found({ createdSince: since })).toEqual([]);
      expect(await found({ createdSince: '2020-01-01T00:00:00Z' })).toHaveLength(4);
      const listed = async (query: string): Promise<string[]> =>
        (await edits.get(`/mine?${query}`, me)).body.data.map(({ id }: ResponseBody) => id as string);
      expect(await listed('targetType=artist')).toEqual([ofArtist]);
      expect(await listed(`targetId=${here.id}&status=rejected`)).toEqual([ids[0]]);
      expect(await listed(`targetId=${here.id}&status=open`)).toEqual([]);
      expect(await listed('type=delete,create')).toEqual([]);
      expect(await listed(`createdSince=${since}`)).toEqual([]);
      expect((await listed('sort=updatedAt'))[0]).toBe(ids[0]);
    });

    it('reviewable: in pages, the oldest first, though others that are not for the person lie between', async () => {
      const reviewer = await person('trusted', ['reg_halvenstad']);
      const wanted: string[] = [];
      for (const year of [2001, 2002, 2003]) {
        wanted.push(await mine({ year }));
        await edits.suggestEdit({ ...edits.buildDeletion(), targetId: (await at(52.1, 5.02)).id }, me);
        await edits.suggestEdit(edits.buildUpdate({ title: `Own ${year}` }), reviewer);
        await artist(await createArtist(edits.server));
        await mine({ location: { lat: 1, lon: year / 100 } });
        await mine({ year }, await at(10, 10));
      }
      const targetId = edits.artwork.id;
      const seen: string[] = [];
      for (let cursor: string | null = null, page = 0; page === 0 || cursor; page++) {
        const body: ResponseBody = { filter: { which: 'reviewable', targetId }, limit: 1, cursor };
        const { body: answer } = await edits.post('/views', reviewer, body);
        seen.push(...answer.data.map(({ edit }: ResponseBody) => edit.id as string));
        cursor = answer.page.nextCursor;
      }
      expect(seen).toEqual(wanted);
      const all = await edits.post('/views', reviewer, { filter: { which: 'reviewable' }, limit: 100 });
      expect(
        all.body.data.every(({ edit }: ResponseBody) => edit.type !== 'delete' && edit.targetType === 'artwork'),
      ).toBe(true);
    });

    it('reviewable: nothing locked for the trusted; artists and their own regions for moderators', async () => {
      const [trusted, moderator] = [await person('trusted', ['*']), await person('moderator', ['reg_halvenstad'])];
      const [here, there] = [await mine({ year: 2020 }), await mine({ year: 2020 }, await at(10, 10))];
      const ofArtist = await artist(await createArtist(edits.server));
      const kept = async (token: string): Promise<boolean[]> => {
        const ids = await views(token, { which: 'reviewable', createdSince: '2020-01-01T00:00:00Z' }, { limit: 100 });
        return [here, there, ofArtist].map((id) => ids.includes(id));
      };
      expect(await kept(trusted)).toEqual([true, true, true]);
      const { id } = edits.artwork;
      await edits.server.get(TransactionService).run((tx) => tx.update(Marker, { id }, { lockedAt: new Date() }));
      expect(await kept(trusted)).toEqual([false, true, true]);
      expect(await kept(moderator)).toEqual([true, false, true]);
      expect(await kept(await person('moderator', ['reg_elsewhere']))).toEqual([false, false, true]);
      expect(await kept(me)).toEqual([false, false, false]);
      expect(await views(me, { which: 'reviewable' })).toEqual([]);
    });

    it('reviewable: needs edits:review, in the words of the spec; and invisible is as unknown', async () => {
      const reading = await edits.issueAccessToken(await createAccount(edits.server, { role: 'moderator' }), [
        'edits:read',
      ]);
      const { status, body } = await edits.post('/views', reading, { filter: { which: 'reviewable' } });
      expect({ status, body }).toEqual({
        status: 403,
        body: { error: 'This app needs the edits:review scope to do that.' },
      });
      const ids = [await mine({ year: 2020 }), UNKNOWN_EDIT_ID];
      expect((await edits.post('/views', reading, { ids })).body).toMatchObject({ data: [], missing: ids });
    });
  });

  describe('A decision', () => {
    it('is made on the version that the reviewer saw, if they say which', async () => {
      const [one, other] = [await mine({ year: 2020 }), await mine({ title: 'Echo' })];
      await accept(one);
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

    it('changes nothing where an artist was deleted meanwhile: unknown_artist', async () => {
      const { id: artistId } = await createArtist(edits.server);
      const id = await mine({ artistIds: [artistId], year: 2020 });
      const gone = { type: 'delete', targetType: 'artist', targetId: artistId, baseVersion: 1 };
      await accept(await edits.suggestEdit(gone, me));
      expectApiError(await decide('accept', id), 422, 'unknown_artist');
      expect(await edits.findMarker()).toMatchObject({ year: 2019, version: 1, openEditCount: 1, artists: [] });
      expect((await edits.get(`/${id}`, me)).body.edit.status).toBe('open');
    });

    it('does not delete an artist who has artworks, nor revert their creation', async () => {
      const creation = await edits.suggestEdit({ type: 'create', targetType: 'artist', changes: { name: 'Ada' } }, me);
      const { id } = (await accept(creation)).target;
      await createMarker(edits.server, { artistIds: [id] });
      const deletion = await edits.suggestEdit(
        { type: 'delete', targetType: 'artist', targetId: id, baseVersion: 1 },
        me,
      );
      expectApiError(await decide('accept', deletion), 409, 'artist_has_artworks');
      expectApiError(await decide('revert', creation), 409, 'artist_has_artworks');
    });

    it('is not reverted over a later edit, which it names for each field; a revert can be reverted', async () => {
      const first = await mine({ year: 2020, title: 'Echo', tags: ['fox'] });
      await accept(first);
      const later = await mine({ year: 2021 }, await edits.findMarker());
      await accept(later);
      const answer = await decide('revert', first);
      expectApiError(answer, 409, 'revert_conflict');
      expect(answer.body.details).toEqual([{ field: 'year', from: 2020, current: 2021, to: 2019, editId: later }]);
      const { revertEdit } = (await decide('revert', later)).body;
      expect((await decide('revert', revertEdit.id, await person('moderator', ['*']))).status).toBe(200);
      expect(await edits.findMarker()).toMatchObject({ year: 2021, title: 'Echo', version: 5 });
    });

    it('to bring back a deleted artwork is refused, as was foretold, where its artist is deleted', async () => {
      const { id: artistId } = await createArtist(edits.server);
      edits.artwork = await createMarker(edits.server, { artistIds: [artistId] });
      const deletion = await edits.suggestEdit(edits.buildDeletion(), me);
      await accept(deletion);
      await accept(
        await edits.suggestEdit({ type: 'delete', targetType: 'artist', targetId: artistId, baseVersion: 1 }, me),
      );
      const { body } = await edits.get(`/${deletion}`, edits.moderatorToken);
      expectApiError(await decide('revert', deletion), 422, 'unknown_artist');
      expect(body.permissions[3]).toEqual({ action: 'revert', allowed: false, reason: 'unknown_artist' });
    });
  });
});
