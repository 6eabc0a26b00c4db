import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { EntityVersion } from '../../src/map/history/entity-version.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Edit rules', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start({ authorRole: 'moderator' });
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const suggest = (changes: Record<string, unknown>): Promise<string> => edits.suggestEdit(edits.buildUpdate(changes));
  const fetchStatus = async (id: string): Promise<string> =>
    (await edits.get(`/${id}`, edits.authorToken)).body.edit.status;

  describe('A suggestion for an older version', () => {
    it('is accepted when other fields were changed since, with the values of the older version', async () => {
      await edits.createAcceptedEdit({ year: 2020, tags: ['fox'] });
      await edits.createAcceptedEdit({ tags: ['fox', 'owl'] });
      const older = { ...edits.buildUpdate({ title: 'Echo', tags: ['fox', 'cat'] }), baseVersion: 2 };
      const { status, body } = await edits.post('', edits.authorToken, older);
      expect(status).toBe(201);
      expect(body.baseVersion).toBe(2);
      expect(body.changes).toEqual([
        { field: 'title', from: 'Echo Wall', to: 'Echo' },
        { field: 'tags', from: ['fox'], to: ['fox', 'cat'] },
      ]);
      await edits.accept(body.id);
      expect(await edits.findMarker()).toMatchObject({
        title: 'Echo',
        year: 2020,
        tags: ['fox', 'owl', 'cat'],
        version: 4,
      });
    });

    it('is rejected with edit_conflict when one of its fields was changed since, and names that field', async () => {
      await edits.createAcceptedEdit({ year: 2020 });
      const response = await edits.post('', edits.authorToken, edits.buildUpdate({ year: 2021, title: 'Echo' }));
      expectApiError(response, 409, 'edit_conflict');
      expect(response.body.details).toEqual([{ field: 'year', from: 2019, current: 2020, to: 2021 }]);
      expect((await edits.findMarker()).openEditCount).toBe(0);
    });

    it.each([2, 99])('is rejected with edit_conflict when version %d does not exist', async (baseVersion) => {
      const response = await edits.post('', edits.authorToken, { ...edits.buildUpdate({ year: 2020 }), baseVersion });
      expectApiError(response, 409, 'edit_conflict');
    });
  });

  it('rejects a place with unsupported_target', async () => {
    const place = await createMarker(edits.server, { placeType: 'gallery' });
    for (const body of [
      edits.buildUpdate({ year: 2020 }, place),
      { ...edits.buildUpdate({}, place), type: 'delete', changes: {} },
    ]) {
      expectApiError(await edits.post('', edits.authorToken, body), 422, 'unsupported_target');
    }
  });

  it('rejects a repeated suggestion of an account with duplicate_open_edit until the first one is decided', async () => {
    const id = await suggest({ year: 2020 });
    const repeated = await edits.post('', edits.authorToken, edits.buildUpdate({ year: 2020 }));
    expectApiError(repeated, 409, 'duplicate_open_edit');
    expect(repeated.body.details).toEqual([{ editId: id }]);
    const other = await edits.issueAccessToken(await createAccount(edits.server));
    expect((await edits.post('', other, edits.buildUpdate({ year: 2020 }))).status).toBe(201);
    await edits.post(`/${id}/reject`, edits.moderatorToken, { comment: 'A reason.' });
    expect((await edits.post('', edits.authorToken, edits.buildUpdate({ year: 2020 }))).status).toBe(201);
  });

  describe('Superseding', () => {
    const superseding = (
      supersedes: string,
      changes: Record<string, unknown> = { year: 2021 },
    ): Promise<TestResponse> => edits.post('', edits.authorToken, { ...edits.buildUpdate(changes), supersedes });

    it('closes the open edit of the account, and counts one open edit', async () => {
      const id = await suggest({ year: 2020 });
      const { status, body } = await superseding(id);
      expect({ status, supersedes: body.supersedes }).toEqual({ status: 201, supersedes: id });
      expect((await edits.get(`/${id}`, edits.authorToken)).body.edit).toMatchObject({
        status: 'superseded',
        decidedBy: { id: edits.authorAccount.id },
      });
      expect((await edits.findMarker()).openEditCount).toBe(1);
      expectApiError(await edits.post(`/${id}/accept`, edits.moderatorToken), 409, 'edit_not_open');
    });

    it('rejects an edit of another account and an unknown edit with 404', async () => {
      const other = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }), edits.moderatorToken);
      for (const id of [other, UNKNOWN_EDIT_ID, 'nonsense']) expectApiError(await superseding(id), 404, 'not_found');
      expect((await edits.findMarker()).openEditCount).toBe(1);
    });

    it('rejects a decided edit with 409', async () => {
      const rejected = await suggest({ title: 'Echo' });
      await edits.post(`/${rejected}/reject`, edits.moderatorToken, { comment: 'A reason.' });
      const superseded = await suggest({ year: 2020 });
      await superseding(superseded, { year: 2022 });
      const ids = [rejected, superseded, await edits.createAcceptedEdit({ tags: ['fox'] })];
      for (const id of ids) expectApiError(await superseding(id), 409, 'edit_not_open');
    });

    it('rejects a decided edit with 409 before it checks the new target', async () => {
      const id = await edits.createAcceptedEdit({ tags: ['fox'] });
      const artwork = { ...edits.artwork, id: 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
      const body = { ...edits.buildUpdate({ year: 2020 }, artwork), supersedes: id };
      expectApiError(await edits.post('', edits.authorToken, body), 404, 'not_found');
    });

    it('rejects an accepted creation with 409', async () => {
      const creation = { type: 'create', targetType: 'artist', changes: { name: `Somebody ${edits.artwork.id}` } };
      const id = await edits.suggestEdit(creation);
      await edits.accept(id);
      expectApiError(await edits.post('', edits.authorToken, { ...creation, supersedes: id }), 409, 'edit_not_open');
    });

    it('rejects an edit of another target with 422 other_target', async () => {
      const [artist, work] = [await createArtist(edits.server), await createMarker(edits.server)];
      const ids = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 }, work)),
        await edits.suggestEdit({
          type: 'update',
          targetType: 'artist',
          targetId: artist.id,
          baseVersion: 1,
          changes: { bio: 'x' },
        }),
        await edits.suggestEdit({ type: 'create', targetType: 'artist', changes: { name: `Somebody ${work.id}` } }),
      ];
      for (const id of ids) {
        expectApiError(await superseding(id), 422, 'other_target');
        expect(await fetchStatus(id)).toBe('open');
      }
    });

    it('keeps the old edit open when the new one is rejected', async () => {
      const [one, other] = [await suggest({ year: 2020 }), await suggest({ title: 'Echo' })];
      expectApiError(await superseding(other, { year: 2020 }), 409, 'duplicate_open_edit');
      expectApiError(await superseding(other, { year: 2019 }), 422, 'no_changes');
      expectApiError(
        await superseding(other, { artistIds: ['art_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
        422,
        'unknown_artist',
      );
      expect([await fetchStatus(one), await fetchStatus(other)]).toEqual(['open', 'open']);
      expect((await edits.findMarker()).openEditCount).toBe(2);
    });

    it('accepts one of two concurrent requests', async () => {
      const id = await suggest({ year: 2020 });
      const responses = await Promise.all([2001, 2002, 2003].map((year) => superseding(id, { year })));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect((await edits.findMarker()).openEditCount).toBe(1);
    });

    it('is allowed at the limit of 50 open edits, where another suggestion is limit_reached', async () => {
      const token = await edits.issueAccessToken(await createAccount(edits.server));
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 1900 }), token);
      const row = await edits.server.entityManager.findOneByOrFail(Edit, { id });
      const rows = Array.from({ length: 48 }, (_, n) => ({
        ...row,
        id: generateId('edt'),
        changes: [{ field: 'year', from: 2019, to: 1901 + n }],
      }));
      await edits.server.get(TransactionService).run((tx) => tx.insert(Edit, rows));
      await edits.suggestEdit(edits.buildUpdate({ year: 1990 }), token);
      expectApiError(await edits.post('', token, edits.buildUpdate({ year: 1991 })), 422, 'limit_reached');
      const { body } = await edits.post('/evaluate-permissions', token, {
        items: [{ targetType: 'artist', type: 'create' }],
      });
      expect(body.quota).toMatchObject({ openEdits: 50, openEditsMax: 50 });
      expect(body.data[0].actions.suggestCreate).toMatchObject({ allowed: false, reason: 'limit_reached' });
      expect((await edits.post('', token, { ...edits.buildUpdate({ year: 1991 }), supersedes: id })).status).toBe(201);
      expectApiError(await edits.post('', token, edits.buildUpdate({ year: 1992 })), 422, 'limit_reached');
    });
  });

  it('counts the open edits of a marker', async () => {
    const count = async (): Promise<number> => (await edits.findMarker()).openEditCount;
    const [one, other] = [await suggest({ year: 2020 }), await suggest({ title: 'Echo' })];
    expect(await count()).toBe(2);
    await edits.accept(one);
    expect(await count()).toBe(1);
    expect((await edits.post(`/${one}/revert`, edits.moderatorToken)).status).toBe(200);
    expectApiError(await edits.post(`/${one}/accept`, edits.moderatorToken), 409, 'edit_not_open');
    expect(await count()).toBe(1);
    await edits.post(`/${other}/reject`, edits.moderatorToken, { comment: 'A reason.' });
    expect(await count()).toBe(0);
  });

  describe('Accepting', () => {
    it.each([
      ['tags', ['a'], ['a', 'b'], ['a', 'c'], ['a', 'b', 'c']],
      ['tags', ['a', 'b'], ['a'], ['a', 'b', 'c'], ['a', 'c']],
      ['tags', ['a'], null, ['a', 'c'], ['c']],
      ['medium', ['mural'], ['mural', 'mosaic'], ['stencil'], ['mosaic', 'stencil']],
    ])('merges %s: %j to %j and to %j is %j', async (field, before, one, other, result) => {
      edits.artwork = await createMarker(edits.server, { [field]: before });
      const ids = [await suggest({ [field]: one }), await suggest({ [field]: other })];
      for (const id of ids) await edits.accept(id);
      expect(await edits.findMarker()).toMatchObject({ [field]: result, version: 3 });
    });

    it('merges artists and aliases', async () => {
      const [one, other] = [await createArtist(edits.server), await createArtist(edits.server)];
      const ids = [await suggest({ artistIds: [one.id] }), await suggest({ artistIds: [other.id] })];
      for (const id of ids) await edits.accept(id);
      expect((await edits.findMarker()).artists.map(({ id }) => id).sort()).toEqual([one.id, other.id].sort());
      const about = { type: 'update', targetType: 'artist', targetId: one.id, baseVersion: 1 };
      for (const id of [
        await edits.suggestEdit({ ...about, changes: { aliases: ['A'] } }),
        await edits.suggestEdit({ ...about, changes: { aliases: ['B'] } }),
      ])
        await edits.accept(id);
      const stored = await edits.server.entityManager.findOneByOrFail(EntityVersion, { targetId: one.id, version: 3 });
      expect(stored.snapshot['aliases']).toEqual(['A', 'B']);
    });

    it('is rejected with edit_conflict when the merge would have more than 20 tags', async () => {
      const tags = (letter: string): string[] => Array.from({ length: 11 }, (_, n) => `${letter}${n}`);
      const [one, other] = [await suggest({ tags: tags('a') }), await suggest({ tags: tags('b') })];
      await edits.accept(one);
      expectApiError(await edits.post(`/${other}/accept`, edits.moderatorToken), 409, 'edit_conflict');
      expect((await edits.findMarker()).tags).toEqual(tags('a'));
      expect(await fetchStatus(other)).toBe('open');
    });
  });

  it('stores one history row per accepted edit, which cannot be changed or deleted', async () => {
    const ids = [await edits.createAcceptedEdit({ year: 2020 }), await edits.createAcceptedEdit({ title: 'Echo' })];
    const targetId = edits.artwork.id;
    const rows = (): Promise<EntityVersion[]> =>
      edits.server.entityManager.find(EntityVersion, { where: { targetId }, order: { version: 'ASC' } });
    const before = await rows();
    expect(before.map(({ version, editId }) => [version, editId])).toEqual([
      [1, null],
      [2, ids[0]],
      [3, ids[1]],
    ]);
    expect(before[2]).toMatchObject({ changes: [{ field: 'title', from: 'Echo Wall', to: 'Echo' }] });
    const transactions = edits.server.get(TransactionService);
    await expect(transactions.run((tx) => tx.update(EntityVersion, { targetId }, { editId: null }))).rejects.toThrow();
    await expect(transactions.run((tx) => tx.delete(EntityVersion, { targetId }))).rejects.toThrow();
    expect(await rows()).toEqual(before);
  });
});
