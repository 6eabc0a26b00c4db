import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createArtist } from '../support/factories.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Reviewing edits', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  describe('POST /api/edits/:id/accept', () => {
    it('makes the change, and counts the version', async () => {
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

    it('makes a new edits.artwork, and a new artist', async () => {
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

    it('deletes, and what is deleted answers 410', async () => {
      const id = await edits.suggestEdit({ ...edits.buildUpdate({}), type: 'delete', changes: undefined });
      expect((await edits.post(`/${id}/accept`, edits.moderatorToken)).status).toBe(200);
      expect(
        (await edits.server.request('GET', `/api/markers/${edits.artwork.id}`, { token: edits.authorToken })).status,
      ).toBe(410);
    });

    it('refuses where the target was deleted meanwhile, and the edit stays open', async () => {
      const [id, deletion] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildDeletion()),
      ];
      await edits.post(`/${deletion}/accept`, edits.moderatorToken);
      expectApiError(await edits.post(`/${id}/accept`, edits.moderatorToken), 409, 'target_deleted');
      expect((await edits.get(`/${id}`, edits.authorToken)).body.edit.status).toBe('open');
    });

    it('refuses where somebody else changed the same field meanwhile, and the edit stays open', async () => {
      const [mine, theirs] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildUpdate({ year: 2021, title: 'Echo' })),
      ];
      expect((await edits.post(`/${mine}/accept`, edits.moderatorToken)).status).toBe(200);
      const answer = await edits.post(`/${theirs}/accept`, edits.moderatorToken);
      expectApiError(answer, 409, 'edit_conflict');
      expect(answer.body.details).toEqual([{ field: 'year', from: 2019, current: 2020, to: 2021 }]);
      expect(await edits.findMarker()).toMatchObject({ title: 'Echo Wall', version: 2 });
      expect((await edits.get(`/${theirs}`, edits.authorToken)).body.edit.status).toBe('open');
    });

    it('lets edits of other fields both land', async () => {
      const [one, other] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildUpdate({ title: 'Echo' })),
      ];
      expect((await edits.post(`/${one}/accept`, edits.moderatorToken)).status).toBe(200);
      expect((await edits.post(`/${other}/accept`, edits.moderatorToken)).status).toBe(200);
      expect(await edits.findMarker()).toMatchObject({ title: 'Echo', year: 2020, version: 3 });
    });

    it('at the moment in which the same person suggests: nobody waits for ever', async () => {
      const year = (at: number): Record<string, unknown> => edits.buildUpdate({ year: 1950 + at });
      const ids = await Promise.all([1, 2, 3].map((at) => edits.suggestEdit(year(at))));
      const answers = await Promise.all(
        ids.flatMap((id, at) => [
          edits.post(`/${id}/accept`, edits.moderatorToken),
          edits.post('', edits.moderatorToken, year(10 + at)),
        ]),
      );
      expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    });

    it('by two reviewers at once: exactly one 200, the other 409', async () => {
      const second = await edits.issueAccessToken(await createAccount(edits.server, { role: 'moderator' }));
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const answers = await Promise.all(
        [edits.moderatorToken, second, edits.moderatorToken, second].map((token) => edits.post(`/${id}/accept`, token)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect((await edits.findMarker()).version).toBe(2);
    });
  });

  describe('reject and revert', () => {
    it('reject: keeps why, and changes nothing', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const { status, body } = await edits.post(`/${id}/reject`, edits.moderatorToken, { comment: 'It still stands.' });
      expect({ status, edit: body.edit.status }).toEqual({ status: 200, edit: 'rejected' });
      expect((await edits.get(`/${id}`, edits.authorToken)).body.edit).toMatchObject({
        status: 'rejected',
        decisionComment: 'It still stands.',
      });
      expect((await edits.findMarker()).year).toBe(2019);
    });

    it('reject: needs a reason', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      for (const body of [{}, { comment: '' }, { comment: 'no' }]) {
        expectApiError(await edits.post(`/${id}/reject`, edits.moderatorToken, body), 400, 'invalid_request');
      }
    });

    it('revert: by an inverse edit, linked both ways', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await edits.post(`/${id}/accept`, edits.moderatorToken);
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

    it('revert: takes back what comes in many decimals and in any order, and keeps who had accepted', async () => {
      const artists = [await createArtist(edits.server), await createArtist(edits.server)].map(({ id }) => id);
      const location = { lat: 52.12345678901, lon: 5.09876543219 };
      const id = await edits.suggestEdit(edits.buildUpdate({ location, artistIds: artists.reverse() }));
      await edits.post(`/${id}/accept`, edits.moderatorToken, { comment: 'Seen it.' });
      const second = await edits.issueAccessToken(await createAccount(edits.server, { role: 'moderator' }));
      const { status, body } = await edits.post(`/${id}/revert`, second, { comment: 'Not so.' });
      expect(status).toBe(200);
      expect(body.edit).toMatchObject({ status: 'reverted', decisionComment: 'Seen it.' });
      expect(body.edit.decidedBy.id).not.toBe(body.revertEdit.author.id);
      expect(await edits.findMarker()).toMatchObject({ latE7: 521_000_000, lonE7: 50_100_000, artists: [] });
    });

    it('revert: of a creation deletes, and of a deletion brings back', async () => {
      const deletion = await edits.suggestEdit({ ...edits.buildUpdate({}), type: 'delete', changes: undefined });
      await edits.post(`/${deletion}/accept`, edits.moderatorToken);
      expect((await edits.post(`/${deletion}/revert`, edits.moderatorToken)).status).toBe(200);
      expect(
        (await edits.server.request('GET', `/api/markers/${edits.artwork.id}`, { token: edits.authorToken })).status,
      ).toBe(200);
      const creation = await edits.suggestEdit({
        type: 'create',
        targetType: 'artwork',
        changes: { title: 'New', location: { lat: 1, lon: 1 } },
      });
      const { target } = (await edits.post(`/${creation}/accept`, edits.moderatorToken)).body as {
        target: { id: string };
      };
      expect((await edits.post(`/${creation}/revert`, edits.moderatorToken)).status).toBe(200);
      expect(
        (await edits.server.request('GET', `/api/markers/${target.id}`, { token: edits.authorToken })).status,
      ).toBe(410);
    });

    it('revert: refuses where the field was changed again', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await edits.post(`/${id}/accept`, edits.moderatorToken);
      const later = await edits.suggestEdit(edits.buildUpdate({ year: 2021 }, await edits.findMarker()));
      await edits.post(`/${later}/accept`, edits.moderatorToken);
      expectApiError(await edits.post(`/${id}/revert`, edits.moderatorToken), 409, 'revert_conflict');
    });
  });

  describe('A decision by somebody who may not, or on an edit that is decided,', () => {
    it.each(['accept', 'reject', 'revert'])('%s: an unknown edit is 404', async (action) => {
      expectApiError(
        await edits.post(`/${UNKNOWN_EDIT_ID}/${action}`, edits.moderatorToken, { comment: 'A reason.' }),
        404,
        'not_found',
      );
    });

    it.each(['accept', 'reject', 'revert'])("%s: one's own is own_edit, even for a moderator", async (action) => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }), edits.moderatorToken);
      expectApiError(
        await edits.post(`/${id}/${action}`, edits.moderatorToken, { comment: 'A reason.' }),
        403,
        'not_allowed',
        'own_edit',
      );
    });

    it.each(['accept', 'reject', 'revert'])('%s: a member is role_too_low', async (action) => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const member = await edits.issueAccessToken(await createAccount(edits.server));
      expectApiError(
        await edits.post(`/${id}/${action}`, member, { comment: 'A reason.' }),
        403,
        'not_allowed',
        'role_too_low',
      );
    });

    it.each(['accept', 'reject', 'revert'])('%s: a role elsewhere is region_not_assigned', async (action) => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const account = await createAccount(edits.server, { role: 'trusted', regions: ['reg_elsewhere'] });
      const answer = await edits.post(`/${id}/${action}`, await edits.issueAccessToken(account), {
        comment: 'A reason.',
      });
      expectApiError(answer, 403, 'not_allowed', 'region_not_assigned');
    });

    it.each(['accept', 'reject', 'revert'])(
      '%s: a blocked edits.moderator is account_blocked, at once',
      async (action) => {
        const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
        const account = await createAccount(edits.server, { role: 'moderator' });
        const token = await edits.issueAccessToken(account);
        await edits.server.get(AccountsService).block(account.username, 'A test.');
        expectApiError(
          await edits.post(`/${id}/${action}`, token, { comment: 'A reason.' }),
          403,
          'not_allowed',
          'account_blocked',
        );
      },
    );

    it('is 409, and leaves the edit as it is', async () => {
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

    it('trusted where they are trusted, decides', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      const trusted = await createAccount(edits.server, { role: 'trusted', regions: ['reg_halvenstad'] });
      expect((await edits.post(`/${id}/accept`, await edits.issueAccessToken(trusted))).status).toBe(200);
    });
  });
});
