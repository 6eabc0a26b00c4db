import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist } from '../support/factories.js';
import type { TestResponse, ResponseBody } from '../support/test-server.js';

describe('What a revert takes back, and what a conflict tells', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    await edits.server.get(RegionsService).findOrCreate('Elsewhere', [6, 52, 6.4, 52.3]);
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const suggest = async (changes: Record<string, unknown>, target?: Marker): Promise<string> =>
    edits.suggestEdit(edits.buildUpdate(changes, target ?? (await edits.findMarker())));
  const accept = (id: string, token = edits.moderatorToken): Promise<TestResponse> =>
    edits.post(`/${id}/accept`, token);
  const revert = (id: string, token = edits.moderatorToken): Promise<TestResponse> =>
    edits.post(`/${id}/revert`, token);

  async function accepted(changes: Record<string, unknown>, target?: Marker): Promise<string> {
    const id = await suggest(changes, target);
    expect((await accept(id)).status).toBe(200);
    return id;
  }

  it('is what the edit changed of a set, and not what another had added to it', async () => {
    await accepted({ tags: ['a'] });
    const seen = await edits.findMarker();
    await accepted({ tags: ['a', 'b'] }, seen);
    const id = await accepted({ tags: ['a', 'b', 'c'] }, seen);
    const { status, body } = await revert(id);
    expect({ status, tags: (await edits.findMarker()).tags }).toEqual({ status: 200, tags: ['a', 'b'] });
    const inverse = (await edits.get(`/${body.revertEdit.id}`, edits.moderatorToken)).body.edit;
    expect(inverse.changes).toEqual([{ field: 'tags', from: ['a', 'b', 'c'], to: ['a', 'b'] }]);
  });

  it('is nothing where another had changed the same before it: revert_conflict', async () => {
    const first = await suggest({ year: 1991 });
    const other = await edits.issueAccessToken(await createAccount(edits.server));
    const same = await edits.suggestEdit(edits.buildUpdate({ year: 1991 }), other);
    for (const id of [first, same]) expect((await accept(id)).status).toBe(200);
    expectApiError(await revert(same), 409, 'revert_conflict');
    expect((await edits.findMarker()).year).toBe(1991);
  });

  it('is nothing where somebody has put it back already: revert_conflict, which names their edit', async () => {
    const id = await accepted({ year: 2020 });
    const back = await accepted({ year: 2019 });
    const answer = await revert(id);
    expectApiError(answer, 409, 'revert_conflict');
    expect(answer.body.details).toEqual([{ field: 'year', from: 2020, current: 2019, to: 2019, editId: back }]);
    expect((await edits.findMarker()).version).toBe(3);
  });

  it('lies in the queue of who may revert it where the artwork is now', async () => {
    const id = await accepted({ year: 2020 });
    await accepted({ location: { lat: 52.1, lon: 6.1 } });
    const queue = async (region: string, more: object = {}): Promise<string[]> => {
      const account = await createAccount(edits.server, { role: 'trusted', regions: [region] });
      const filter = { which: 'reviewable', status: ['open', 'accepted'], targetId: edits.artwork.id, ...more };
      const { body } = await edits.post('/views', await edits.issueAccessToken(account), { filter });
      return body.data.map(({ edit }: ResponseBody) => edit.id as string);
    };
    expect(await queue('reg_elsewhere')).toEqual([id]);
    expect(await queue('reg_elsewhere', { status: ['rejected'] })).toEqual([]);
    expect(await queue('reg_halvenstad')).toEqual([]);
  });

  describe('A conflict', () => {
    it.each<[Scope[], boolean]>([
      [['edits:write'], false],
      [['edits:write', 'artists:read'], false],
      [['edits:write', 'markers:read'], true],
      [['edits:write', 'edits:read'], true],
    ])('tells an app with %j what the field held: %s', async (scopes, isTold) => {
      await accepted({ title: 'Told', year: 2020 });
      const token = await edits.issueAccessToken(edits.authorAccount, scopes);
      const answer = await edits.post('', token, edits.buildUpdate({ title: 'x' }));
      expectApiError(answer, 409, 'edit_conflict');
      const all = { field: 'title', from: 'Echo Wall', current: 'Told', to: 'x' };
      expect(answer.body.details).toEqual([isTold ? all : { field: 'title' }]);
    });

    it('tells an app that may only review no more than the field', async () => {
      const id = await suggest({ year: 2020 });
      await accepted({ year: 2021 });
      const account = await createAccount(edits.server, { role: 'moderator' });
      const reviewing = await edits.issueAccessToken(account, ['edits:review']);
      expect((await accept(id, reviewing)).body.details).toEqual([{ field: 'year' }]);
      const artist = await createArtist(edits.server);
      const moved = await accepted({ artistIds: [artist.id] });
      await accepted({ artistIds: [] });
      const [detail] = (await revert(moved, reviewing)).body.details as ResponseBody[];
      expect(Object.keys(detail).sort()).toEqual(['field']);
    });
  });
});
