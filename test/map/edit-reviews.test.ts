import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist } from '../support/factories.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Edit reviews', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const fetchMarkerStatus = async (id: string): Promise<number> =>
    (await edits.server.request('GET', `/api/markers/${id}`, { token: edits.authorToken })).status;

  describe('POST /api/edits/:id/accept', () => {
    it('applies the change, and increments the version', async () => {
      const artist = await createArtist(edits.server);
      const id = await edits.suggestEdit(
        edits.buildUpdate({ title: 'Echo', artistIds: [artist.id], tags: ['fox'], location: { lat: 0, lon: -1.5 } }),
      );
      const { status, body } = await edits.post(`/${id}/accept`, edits.moderatorToken, { comment: 'Seen it.' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        edit: { id, status: 'accepted', decisionComment: 'Seen it.', resultVersion: 2 },
        target: { id: edits.artwork.id, version: 2 },
      });
      expect(await edits.findMarker()).toMatchObject({
        title: 'Echo',
        tags: ['fox'],
        latE7: 0,
        lonE7: -15_000_000,
        version: 2,
        regionId: null,
      });
      expect((await edits.findMarker()).artists.map(({ id: artistId }) => artistId)).toEqual([artist.id]);
    });

    it('creates an artwork, and creates an artist', async () => {
      const work = {
        type: 'create',
        targetType: 'artwork',
        changes: { title: 'New', location: { lat: 52.1, lon: 5 } },
      };
      const { body } = await edits.post(`/${await edits.suggestEdit(work)}/accept`, edits.moderatorToken);
      expect(await edits.findMarker(body.target.id as string)).toMatchObject({
        kind: 'artwork',
        title: 'New',
        version: 1,
        regionId: 'reg_halvenstad',
      });
      const person = { type: 'create', targetType: 'artist', changes: { name: 'Łukasz', country: 'PL' } };
      const accepted = await edits.post(`/${await edits.suggestEdit(person)}/accept`, edits.moderatorToken);
      const { id } = accepted.body.target as { id: string };
      expect(await edits.server.entityManager.findOneByOrFail(Artist, { id })).toMatchObject({
        name: 'Łukasz',
        nameSortKey: 'lukasz',
      });
    });

    it('deletes an artwork, which then returns 410', async () => {
      const id = await edits.suggestEdit(edits.buildDeletion());
      await edits.accept(id);
      expect(await fetchMarkerStatus(edits.artwork.id)).toBe(410);
    });

    it('rejects an edit when the same field was changed in the meantime, and keeps it open', async () => {
      const [ownEdit, otherEdit] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildUpdate({ year: 2021, title: 'Echo' })),
      ];
      await edits.accept(ownEdit);
      const response = await edits.post(`/${otherEdit}/accept`, edits.moderatorToken);
      expectApiError(response, 409, 'edit_conflict');
      expect(response.body.details).toEqual([{ field: 'year', from: 2019, current: 2020, to: 2021 }]);
      expect(await edits.findMarker()).toMatchObject({ title: 'Echo Wall', version: 2 });
      expect((await edits.get(`/${otherEdit}`, edits.authorToken)).body.edit.status).toBe('open');
    });

    it('merges edits of different fields', async () => {
      const [one, other] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildUpdate({ title: 'Echo' })),
      ];
      await edits.accept(one);
      await edits.accept(other);
      expect(await edits.findMarker()).toMatchObject({ title: 'Echo', year: 2020, version: 3 });
    });

    it('does not deadlock with suggestions of the same account', async () => {
      const year = (index: number): Record<string, unknown> => edits.buildUpdate({ year: 1950 + index });
      const ids = await Promise.all([1, 2, 3].map((index) => edits.suggestEdit(year(index))));
      const responses = await Promise.all(
        ids.flatMap((id, index) => [
          edits.post(`/${id}/accept`, edits.moderatorToken),
          edits.post('', edits.moderatorToken, year(10 + index)),
        ]),
      );
      expect(responses.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    });

    it('accepts one of two concurrent reviews, and rejects the other with 409', async () => {
      const second = await edits.createModerator();
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const responses = await Promise.all(
        [edits.moderatorToken, second, edits.moderatorToken, second].map((token) => edits.post(`/${id}/accept`, token)),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect((await edits.findMarker()).version).toBe(2);
    });
  });

  describe('reject and revert', () => {
    it('reject: stores the comment, and changes nothing', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const { status, body } = await edits.post(`/${id}/reject`, edits.moderatorToken, { comment: 'It still stands.' });
      expect({ status, edit: body.edit.status }).toEqual({ status: 200, edit: 'rejected' });
      expect((await edits.get(`/${id}`, edits.authorToken)).body.edit).toMatchObject({
        status: 'rejected',
        decisionComment: 'It still stands.',
      });
      expect((await edits.findMarker()).year).toBe(2019);
    });

    it('reject: requires a comment', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      for (const body of [{}, { comment: '' }, { comment: 'no' }]) {
        expectApiError(await edits.post(`/${id}/reject`, edits.moderatorToken, body), 400, 'invalid_request');
      }
    });

    it('revert: creates an inverse edit, linked in both directions', async () => {
      const id = await edits.createAcceptedEdit({ year: 2020 });
      const { status, body } = await edits.post(`/${id}/revert`, edits.moderatorToken, { comment: 'It was 2019.' });
      expect(status).toBe(200);
      expect(body.edit).toMatchObject({ id, status: 'reverted', revertedBy: body.revertEdit.id });
      expect(body.revertEdit).toMatchObject({
        status: 'accepted',
        reverts: id,
        changes: [{ field: 'year', from: 2020, to: 2019 }],
      });
      expect(await edits.findMarker()).toMatchObject({ year: 2019, version: 3 });
    });

    it('revert: restores rounded coordinates and unordered artists, and keeps the reviewer who accepted', async () => {
      const artists = [await createArtist(edits.server), await createArtist(edits.server)].map(({ id }) => id);
      const location = { lat: 52.12345678901, lon: 5.09876543219 };
      const id = await edits.suggestEdit(edits.buildUpdate({ location, artistIds: artists.reverse() }));
      await edits.post(`/${id}/accept`, edits.moderatorToken, { comment: 'Seen it.' });
      const second = await edits.createModerator();
      const { status, body } = await edits.post(`/${id}/revert`, second, { comment: 'Not so.' });
      expect(status).toBe(200);
      expect(body.edit).toMatchObject({ status: 'reverted', decisionComment: 'Seen it.' });
      expect(body.edit.decidedBy.id).not.toBe(body.revertEdit.author.id);
      expect(await edits.findMarker()).toMatchObject({ latE7: 521_000_000, lonE7: 50_100_000, artists: [] });
    });

    it('revert: deletes a created target, and restores a deleted target', async () => {
      const deletion = await edits.suggestEdit(edits.buildDeletion());
      await edits.post(`/${deletion}/accept`, edits.moderatorToken);
      expect((await edits.post(`/${deletion}/revert`, edits.moderatorToken)).status).toBe(200);
      expect(await fetchMarkerStatus(edits.artwork.id)).toBe(200);
      const creation = await edits.suggestEdit({
        type: 'create',
        targetType: 'artwork',
        changes: { title: 'New', location: { lat: 1, lon: 1 } },
      });
      const { target } = (await edits.post(`/${creation}/accept`, edits.moderatorToken)).body as {
        target: { id: string };
      };
      expect((await edits.post(`/${creation}/revert`, edits.moderatorToken)).status).toBe(200);
      expect(await fetchMarkerStatus(target.id)).toBe(410);
    });

    it('revert: is rejected when the field was changed again', async () => {
      const id = await edits.createAcceptedEdit({ year: 2020 });
      await edits.createAcceptedEdit({ year: 2021 });
      expectApiError(await edits.post(`/${id}/revert`, edits.moderatorToken), 409, 'revert_conflict');
    });
  });

  describe('Rejected decisions', () => {
    it.each(['accept', 'reject', 'revert'])('%s: returns 404 for an unknown edit', async (action) => {
      expectApiError(await edits.decide(action, UNKNOWN_EDIT_ID, edits.moderatorToken), 404, 'not_found');
    });

    it.each(['accept', 'reject', 'revert'])(
      '%s: returns own_edit for an edit of the account, even to a moderator',
      async (action) => {
        const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }), edits.moderatorToken);
        expectApiError(await edits.decide(action, id, edits.moderatorToken), 403, 'not_allowed', 'own_edit');
      },
    );

    it.each(['accept', 'reject', 'revert'])('%s: returns role_too_low to a member', async (action) => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const member = await edits.issueAccessToken(await createAccount(edits.server));
      expectApiError(await edits.decide(action, id, member), 403, 'not_allowed', 'role_too_low');
    });

    it.each(['accept', 'reject', 'revert'])(
      '%s: returns region_not_assigned to a role in another region',
      async (action) => {
        const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
        const account = await createAccount(edits.server, { role: 'trusted', regions: ['reg_elsewhere'] });
        const response = await edits.decide(action, id, await edits.issueAccessToken(account));
        expectApiError(response, 403, 'not_allowed', 'region_not_assigned');
      },
    );

    it.each(['accept', 'reject', 'revert'])(
      '%s: returns account_blocked to a blocked moderator at once',
      async (action) => {
        const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
        const account = await createAccount(edits.server, { role: 'moderator' });
        const token = await edits.issueAccessToken(account);
        await edits.server.get(AccountsService).block(account.username, 'A test.');
        expectApiError(await edits.decide(action, id, token), 403, 'not_allowed', 'account_blocked');
      },
    );

    it('return 409 for an edit in another state, and keep the edit unchanged', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      expectApiError(await edits.post(`/${id}/revert`, edits.moderatorToken), 409, 'edit_not_accepted');
      await edits.post(`/${id}/reject`, edits.moderatorToken, { comment: 'A reason.' });
      expectApiError(await edits.post(`/${id}/accept`, edits.moderatorToken), 409, 'edit_not_open');
      expectApiError(
        await edits.post(`/${id}/reject`, edits.moderatorToken, { comment: 'Another.' }),
        409,
        'edit_not_open',
      );
      expectApiError(await edits.post(`/${id}/revert`, edits.moderatorToken), 409, 'edit_not_accepted');
      expect((await edits.get(`/${id}`, edits.authorToken)).body.edit).toMatchObject({
        status: 'rejected',
        decisionComment: 'A reason.',
      });
    });

    it('accept a trusted account in its region', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const trusted = await createAccount(edits.server, { role: 'trusted', regions: ['reg_halvenstad'] });
      expect((await edits.post(`/${id}/accept`, await edits.issueAccessToken(trusted))).status).toBe(200);
    });
  });
});
