import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist } from '../support/factories.js';
import type { TestResponse, ResponseBody } from '../support/test-server.js';

describe('Reverts and conflicts', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start({ withOtherRegion: true });
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const suggest = async (changes: Record<string, unknown>): Promise<string> =>
    edits.suggestEdit(edits.buildUpdate(changes, await edits.findMarker()));
  const revert = (id: string, token = edits.moderatorToken): Promise<TestResponse> => edits.decide('revert', id, token);

  it('a revert removes only the elements of a set that the edit added', async () => {
    await edits.createAcceptedEdit({ tags: ['a'] });
    const results = await edits.findMarker();
    await edits.createAcceptedEdit({ tags: ['a', 'b'] }, results);
    const id = await edits.createAcceptedEdit({ tags: ['a', 'b', 'c'] }, results);
    const { status, body } = await revert(id);
    expect({ status, tags: (await edits.findMarker()).tags }).toEqual({ status: 200, tags: ['a', 'b'] });
    const inverse = (await edits.get(`/${body.revertEdit.id}`, edits.moderatorToken)).body.edit;
    expect(inverse.changes).toEqual([{ field: 'tags', from: ['a', 'b', 'c'], to: ['a', 'b'] }]);
  });

  it('a revert is rejected with revert_conflict when an earlier edit made the same change', async () => {
    const first = await suggest({ year: 1991 });
    const other = await edits.issueAccessToken(await createAccount(edits.server));
    const same = await edits.suggestEdit(edits.buildUpdate({ year: 1991 }), other);
    for (const id of [first, same]) await edits.accept(id);
    expectApiError(await revert(same), 409, 'revert_conflict');
    expect((await edits.findMarker()).year).toBe(1991);
  });

  it('a revert is rejected with revert_conflict when a later edit already undid the change, and names that edit', async () => {
    const id = await edits.createAcceptedEdit({ year: 2020 });
    const back = await edits.createAcceptedEdit({ year: 2019 });
    const response = await revert(id);
    expectApiError(response, 409, 'revert_conflict');
    expect(response.body.details).toEqual([{ field: 'year', from: 2020, current: 2019, to: 2019, editId: back }]);
    expect((await edits.findMarker()).version).toBe(3);
  });

  it('an accepted edit is reviewable in the region where the artwork is now', async () => {
    const id = await edits.createAcceptedEdit({ year: 2020 });
    await edits.createAcceptedEdit({ location: { lat: 52.1, lon: 6.1 } });
    const queue = async (region: string, overrides: object = {}): Promise<string[]> => {
      const account = await createAccount(edits.server, { role: 'trusted', regions: [region] });
      const filter = { which: 'reviewable', status: ['open', 'accepted'], targetId: edits.artwork.id, ...overrides };
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
    ])('returns the current value to an app with %j: %s', async (scopes, isVisible) => {
      await edits.createAcceptedEdit({ title: 'Told', year: 2020 });
      const token = await edits.issueAccessToken(edits.authorAccount, scopes);
      const response = await edits.post('', token, edits.buildUpdate({ title: 'x' }));
      expectApiError(response, 409, 'edit_conflict');
      const all = { field: 'title', from: 'Echo Wall', current: 'Told', to: 'x' };
      expect(response.body.details).toEqual([isVisible ? all : { field: 'title' }]);
    });

    it('returns only the field name to an app with edits:review alone', async () => {
      const id = await suggest({ year: 2020 });
      await edits.createAcceptedEdit({ year: 2021 });
      const account = await createAccount(edits.server, { role: 'moderator' });
      const reviewing = await edits.issueAccessToken(account, ['edits:review']);
      expect((await edits.decide('accept', id, reviewing)).body.details).toEqual([{ field: 'year' }]);
      const artist = await createArtist(edits.server);
      const moved = await edits.createAcceptedEdit({ artistIds: [artist.id] });
      await edits.createAcceptedEdit({ artistIds: [] });
      const [detail] = (await revert(moved, reviewing)).body.details as ResponseBody[];
      expect(Object.keys(detail).sort()).toEqual(['field']);
    });
  });
});
