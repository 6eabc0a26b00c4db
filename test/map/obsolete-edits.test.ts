import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EntityVersion } from '../../src/map/history/entity-version.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import type { ResponseBody } from '../support/test-server.js';

describe('Edits that came too late', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  afterAll(() => edits.server.stop());
  beforeEach(() => edits.createArtwork());

  const view = async (id: string): Promise<ResponseBody> => (await edits.get(`/${id}`, edits.authorToken)).body;
  const countOpen = async (): Promise<number> => {
    const { body } = await edits.post('/evaluate-permissions', edits.authorToken, {
      items: [{ targetType: 'artwork', type: 'create' }],
    });
    return body.quota.openEdits as number;
  };
  const evaluate = async (item: object): Promise<ResponseBody> =>
    (await edits.post('/evaluate-permissions', edits.authorToken, { items: [item] })).body.data[0];
  const deleteArtwork = async (): Promise<string> => {
    const deletion = await edits.suggestEdit(edits.buildDeletion());
    await edits.accept(deletion);
    return deletion;
  };

  describe('because the target was deleted', () => {
    it('become obsolete, and no longer count', async () => {
      const before = await countOpen();
      const open = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await deleteArtwork();
      const { edit, target, conflicted, permissions } = await view(open);
      expect(edit).toMatchObject({ status: 'obsolete', decidedBy: null, resultVersion: null });
      expect(edit.decidedAt).not.toBeNull();
      expect(target).toEqual({ id: edits.artwork.id, version: 2, title: 'Echo Wall', deleted: true });
      expect(conflicted).toBe(true);
      expect(permissions.filter(({ allowed }: ResponseBody) => allowed)).toEqual([]);
      expect(await countOpen()).toBe(before);
      expect((await edits.findMarker()).openEditCount).toBe(0);
      const { body } = await edits.get('/mine?status=obsolete', edits.authorToken);
      expect(body.data.map(({ id }: ResponseBody) => id as string)).toContain(open);
    });

    it('cannot be accepted, rejected, withdrawn or replaced', async () => {
      const open = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await deleteArtwork();
      for (const action of ['accept', 'reject']) expectApiError(await edits.decide(action, open), 409, 'edit_not_open');
      expectApiError(await edits.post(`/${open}/withdraw`, edits.authorToken), 409, 'edit_not_open');
      const next = { ...edits.buildUpdate({ year: 2021 }), supersedes: open };
      expectApiError(await edits.post('', edits.authorToken, next), 410, 'gone', 'target_deleted');
      const { supersede } = (await evaluate({ editId: open })).actions;
      expect(supersede).toMatchObject({ allowed: false, person: false, reason: 'target_deleted' });
    });

    it('stay obsolete when the target is restored', async () => {
      const open = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      expect((await edits.decide('revert', await deleteArtwork(), await edits.createModerator())).status).toBe(200);
      expect((await view(open)).edit.status).toBe('obsolete');
      expect((await view(open)).target).not.toHaveProperty('deleted');
      const next = { ...edits.buildUpdate({ year: 2021 }, await edits.findMarker()), supersedes: open };
      expectApiError(await edits.post('', edits.authorToken, next), 409, 'edit_not_open');
      expect((await edits.findMarker()).openEditCount).toBe(0);
    });

    it('become obsolete when the creation of the target is reverted', async () => {
      const creation = await edits.suggestEdit({
        type: 'create',
        targetType: 'artwork',
        changes: { title: 'New', location: { lat: 52.1, lon: 5 } },
      });
      const { id } = (await edits.accept(creation)).target;
      edits.artwork = await edits.findMarker(id);
      const open = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      expect((await edits.decide('revert', creation, await edits.createModerator())).status).toBe(200);
      expect((await view(open)).edit.status).toBe('obsolete');
    });

    it('leave no open edit behind when they are suggested during the deletion', async () => {
      for (let round = 0; round < 5; round++) {
        await edits.createArtwork();
        const deletion = await edits.suggestEdit(edits.buildDeletion());
        const suggestions = Array.from({ length: 4 }, (_, index) =>
          edits.post('', edits.authorToken, edits.buildUpdate({ year: 1990 + index })),
        );
        await Promise.all([edits.decide('accept', deletion), ...suggestions]);
        const statuses = (await Promise.all(suggestions)).map(({ status }) => status);
        expect(statuses.every((status) => status === 201 || status === 410)).toBe(true);
        const open = await edits.get(`/mine?status=open&targetId=${edits.artwork.id}`, edits.authorToken);
        expect(open.body.data).toEqual([]);
        expect((await edits.findMarker()).openEditCount).toBe(0);
      }
    });
  });

  describe('because the change was made already', () => {
    it('are accepted without a new version, and cannot be reverted', async () => {
      const [first, second] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildUpdate({ year: 2020, tags: [] }), await edits.createModerator()),
      ];
      await edits.accept(first);
      const { edit, target } = await edits.accept(second);
      expect([edit.status, edit.resultVersion, target.version]).toEqual(['accepted', 2, 2]);
      const versions = edits.server.entityManager.countBy(EntityVersion, { targetId: edits.artwork.id });
      expect(await versions).toBe(2);
      const moderator = await edits.createModerator();
      const reverted = await edits.decide('revert', second, moderator);
      expectApiError(reverted, 409, 'revert_conflict');
      expect(reverted.body.error).toContain('This edit changed nothing');
      expect((await edits.decide('revert', first, moderator)).status).toBe(200);
      expect(await edits.findMarker()).toMatchObject({ year: 2019, version: 3 });
    });
  });

  it('do not let a person delete an artist with artworks, as the permissions predict', async () => {
    const creation = { type: 'create', targetType: 'artist', changes: { name: 'Ada' } };
    const { id } = (await edits.accept(await edits.suggestEdit(creation))).target;
    const actions = async (): Promise<ResponseBody> => (await evaluate({ targetType: 'artist', targetId: id })).actions;
    expect((await actions()).suggestDelete.allowed).toBe(true);
    await edits.createAcceptedEdit({ artistIds: [id] });
    expect((await actions()).suggestDelete).toMatchObject({ allowed: false, reason: 'artist_has_artworks' });
    expect((await actions()).suggestUpdate.allowed).toBe(true);
    const byModerator = await edits.post('/evaluate-permissions', edits.moderatorToken, {
      items: [{ targetType: 'artist', targetId: id }],
    });
    const { reviewDeletes, reviewUpdates } = byModerator.body.data[0].actions;
    expect([reviewDeletes.reason, reviewUpdates.allowed]).toEqual(['artist_has_artworks', true]);
    const deletion = { type: 'delete', targetType: 'artist', targetId: id, baseVersion: 1 };
    expectApiError(await edits.post('', edits.authorToken, deletion), 409, 'artist_has_artworks');
  });
});
