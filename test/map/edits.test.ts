import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, createMarker, issueTokens } from '../support/factories.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

const UNKNOWN_EDIT_ID = 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Edits API', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  describe('POST /api/edits', () => {
    it('creates an open edit with the old and new values, the author and the app', async () => {
      const response = await edits.post('', edits.authorToken, {
        ...edits.buildUpdate({ status: 'gone', year: 2019 }),
        comment: ' Painted over. ',
      });
      expect(response.status).toBe(201);
      expect(response.headers.get('location')).toBe(`/api/edits/${response.body.id}`);
      const slashed = await edits.post('/?', edits.authorToken, edits.buildUpdate({ year: 2018 }));
      expect(slashed.headers.get('location')).toBe(`/api/edits/${slashed.body.id}`);
      expect(response.body).toMatchObject({
        type: 'update',
        status: 'open',
        targetType: 'artwork',
        targetId: edits.artwork.id,
        baseVersion: 1,
        regionId: 'reg_halvenstad',
        changes: [{ field: 'status', from: 'present', to: 'gone' }],
        comment: 'Painted over.',
        author: { id: edits.authorAccount.id, username: edits.authorAccount.username },
        client: { id: edits.client.app.id, name: edits.client.app.name },
        decidedAt: null,
      });
      expect((await edits.findMarker()).status).toBe('present');
    });

    it('returns to an app without edits:read only the fields that it wrote', async () => {
      const { access_token } = await issueTokens(edits.server, {
        app: edits.client.app,
        account: edits.authorAccount,
        scopes: ['edits:write'],
      });
      const { body } = await edits.post('', access_token, edits.buildUpdate({ title: 'Echo' }));
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
      ['a version that no column holds', { baseVersion: 2 ** 31 }, 'baseVersion'],
      ['a title of two lines', { changes: { title: 'a\nb' } }, 'changes.title'],
      ['a tag with a comma', { changes: { tags: ['red, blue'] } }, 'changes.tags.0'],
      ['a year after the next', { changes: { year: new Date().getUTCFullYear() + 2 } }, 'changes.year'],
    ])('rejects %s, and names it', async (_, change, path) => {
      const { status, body } = await edits.post('', edits.authorToken, {
        ...edits.buildUpdate({ year: 2020 }),
        ...change,
      });
      expect({ status, code: body.code, path: body.details[0].path }).toEqual({
        status: 400,
        code: 'invalid_request',
        path,
      });
    });

    it('rejects an edit without a change', async () => {
      expectApiError(
        await edits.post('', edits.authorToken, edits.buildUpdate({ title: 'Echo Wall' })),
        422,
        'no_changes',
      );
    });

    it('rejects a target that is missing, deleted or a place', async () => {
      const suggest = (target?: Marker): Promise<TestResponse> =>
        edits.post('', edits.authorToken, edits.buildUpdate({ year: 2020 }, target));
      const unknown = { ...edits.artwork, id: 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
      expectApiError(await suggest(unknown), 404, 'not_found');
      const place = await createMarker(edits.server, { placeType: 'gallery' });
      expectApiError(await suggest(place), 422, 'unsupported_target');
      await edits.accept(await edits.suggestEdit(edits.buildDeletion()));
      expectApiError(await suggest(), 410, 'gone', 'target_deleted');
    });

    it('rejects an unknown artist', async () => {
      const artistIds = ['art_01ARZ3NDEKTSV4RRFFQ69G5FAV'];
      expectApiError(await edits.post('', edits.authorToken, edits.buildUpdate({ artistIds })), 422, 'unknown_artist');
    });

    it('rejects a version that does not exist', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      await edits.post(`/${id}/accept`, edits.moderatorToken);
      expectApiError(await edits.post('', edits.authorToken, edits.buildUpdate({ year: 2021 })), 409, 'edit_conflict');
      const future = { ...edits.buildUpdate({ year: 2021 }), baseVersion: 3 };
      expectApiError(await edits.post('', edits.authorToken, future), 409, 'edit_conflict');
    });

    it('rejects a blocked account, which may still read', async () => {
      const account = await createAccount(edits.server);
      const token = await edits.issueAccessToken(account);
      await edits.server.get(AccountsService).block(account.username, 'A test.');
      expectApiError(
        await edits.post('', token, edits.buildUpdate({ year: 2020 })),
        403,
        'not_allowed',
        'account_blocked',
      );
      expect((await edits.get('/mine', token)).status).toBe(200);
    });
  });

  describe('GET /api/edits/mine and /api/edits/:id', () => {
    it('list the edits of the account, the newest first, page by page', async () => {
      const account = await createAccount(edits.server);
      const token = await edits.issueAccessToken(account);
      const ids: string[] = [];
      for (const year of [2001, 2002, 2003, 2004, 2005])
        ids.unshift(await edits.suggestEdit(edits.buildUpdate({ year }), token));
      const results: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await edits.get(`/mine?limit=2${cursor}`, token);
        results.push(...body.data.map(({ id }: { id: string }) => id));
        if (body.page.nextCursor === null) break;
        cursor = `&cursor=${body.page.nextCursor}`;
      }
      expect(results).toEqual(ids);
      expect((await edits.get('/mine?status=accepted', token)).body.data).toEqual([]);
      expect((await edits.get('/mine?status=accepted,open', token)).body.data).toHaveLength(5);
      expect((await edits.get('/mine?status=accepted&status=open', token)).body.data).toHaveLength(5);
    });

    it('apply their filters on every page', async () => {
      const token = await edits.issueAccessToken(await createAccount(edits.server));
      const ids: string[] = [];
      for (const year of [2023, 2022, 2021, 2020])
        ids.unshift(await edits.suggestEdit(edits.buildUpdate({ year }), token));
      const then = new Date('2020-01-01T00:00:00Z');
      const moved = { createdAt: then, updatedAt: then };
      await edits.server.get(TransactionService).run((tx) => tx.update(Edit, ids.at(-1)!, moved));
      for (const moment of ['created', 'updated']) {
        const since = `/mine?sort=${moment}At&limit=1&${moment}Since`;
        expect(await pages(`${since}=2020-01-01T00:00:01Z`, token)).toEqual(ids.slice(0, 3));
        expect(await pages(`${since}=2020-01-01T00:00:00Z`, token)).toEqual(ids);
      }
    });

    async function pages(path: string, token: string, cursor?: string): Promise<string[]> {
      const { body } = await edits.get(`${path}${cursor ? `&cursor=${cursor}` : ''}`, token);
      const ids = body.data.map(({ id }: ResponseBody) => id as string) as string[];
      const next = body.page.nextCursor as string | null;
      return next === null ? ids : [...ids, ...(await pages(path, token, next))];
    }

    it('reject the cursor of another list', async () => {
      await edits.suggestEdit(edits.buildUpdate({ year: 2001 }));
      await edits.suggestEdit(edits.buildUpdate({ year: 2002 }));
      const { nextCursor } = (await edits.get('/mine?limit=1', edits.authorToken)).body.page;
      expect((await edits.get(`/mine?limit=1&cursor=${nextCursor}`, edits.authorToken)).status).toBe(200);
      expectApiError(
        await edits.get(`/mine?limit=1&status=open&cursor=${nextCursor}`, edits.authorToken),
        400,
        'invalid_cursor',
      );
      expectApiError(
        await edits.get(`/mine?limit=1&cursor=${nextCursor}`, edits.moderatorToken),
        400,
        'invalid_cursor',
      );
    });

    it('return an edit to its author, and to a reviewer through an app with edits:review', async () => {
      const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
      expect((await edits.get(`/${id}`, edits.authorToken)).body.edit).toMatchObject({ id, status: 'open' });
      expect((await edits.get(`/${id}`, edits.moderatorToken)).status).toBe(200);
      const account = await createAccount(edits.server, { role: 'moderator' });
      const reading = await issueTokens(edits.server, { app: edits.client.app, account, scopes: ['edits:read'] });
      expectApiError(await edits.get(`/${id}`, reading.access_token), 404, 'not_found');
      expectApiError(
        await edits.get(`/${id}`, await edits.issueAccessToken(await createAccount(edits.server))),
        404,
        'not_found',
      );
      expectApiError(await edits.get(`/${UNKNOWN_EDIT_ID}`, edits.authorToken), 404, 'not_found');
      await edits.server.get(AccountsService).block(account.username, 'A test.');
      const reviewing = await issueTokens(edits.server, { app: edits.client.app, account });
      expect((await edits.get(`/${id}`, reviewing.access_token)).status).toBe(200);
    });

    it('views: returns several edits in order, and the same for invisible and unknown ids', async () => {
      const [first, second] = [
        await edits.suggestEdit(edits.buildUpdate({ year: 2020 })),
        await edits.suggestEdit(edits.buildUpdate({ year: 2021 })),
      ];
      const other = await edits.suggestEdit(
        edits.buildUpdate({ year: 2022 }),
        await edits.issueAccessToken(await createAccount(edits.server)),
      );
      const { status, body } = await edits.post('/views', edits.authorToken, {
        ids: [second, other, UNKNOWN_EDIT_ID, first, second, 'nonsense'],
      });
      expect(status).toBe(200);
      expect(body.data.map(({ edit }: { edit: { id: string } }) => edit.id)).toEqual([second, first]);
      expect(body.missing).toEqual([other, UNKNOWN_EDIT_ID, 'nonsense']);
    });
  });

  it('POST /api/edits/evaluate-permissions: allows an action when the account and the app may do it (spec §5, rule 5)', async () => {
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2020 }));
    const evaluate = async (token: string): Promise<ResponseBody> =>
      (await edits.post('/evaluate-permissions', token, { items: [{ editId: id }, { editId: UNKNOWN_EDIT_ID }] })).body
        .data;
    const [forModerator, unknown] = await evaluate(edits.moderatorToken);
    expect(forModerator.actions.accept).toEqual({ allowed: true, person: true, app: true });
    expect(forModerator.actions.revert).toEqual({
      allowed: false,
      person: false,
      app: true,
      reason: 'edit_not_accepted',
    });
    expect(unknown).toEqual({ editId: UNKNOWN_EDIT_ID, found: false });
    const [forAuthor] = await evaluate(edits.authorToken);
    expect(forAuthor.actions.accept).toEqual({ allowed: false, person: false, app: true, reason: 'own_edit' });
    const writing = await issueTokens(edits.server, {
      app: edits.client.app,
      account: edits.authorAccount,
      scopes: ['edits:write'],
    });
    expect((await evaluate(writing.access_token))[0].actions.accept.app).toBe(false);
    const otherToken = await edits.issueAccessToken(await createAccount(edits.server));
    expect((await evaluate(otherToken))[0]).toEqual({ editId: id, found: false });
  });
});
