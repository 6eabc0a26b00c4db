import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createAccount, createMarker } from '../support/factories.js';

const UNKNOWN_COLLECTION_ID = 'col_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const UNKNOWN_MARKER_ID = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The Collections API', () => {
  let lists: CollectionsFixture;

  beforeAll(async () => {
    lists = await CollectionsFixture.start();
  });
  beforeEach(() => lists.createOwner());
  afterAll(() => lists.server.stop());

  it('makes one: private, empty, and found where the answer says', async () => {
    const answer = await lists.post('', { name: ' By the water ', description: '' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'By the water',
      description: null,
      visibility: 'private',
      owner: { id: lists.owner.id, username: lists.owner.username },
      itemCount: 0,
      version: 1,
    });
    expect(
      (await lists.get(answer.headers.get('location')!.replace('/api/collections', ''), lists.ownerToken)).body.items,
    ).toEqual([]);
  });

  it.each([
    {},
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { name: 7 },
    { name: 'a', visibility: 'secret' },
    { name: 'a', owner: 'me' },
  ])('refuses to make one of %j', async (body) => {
    const { status, body: answer } = await lists.post('', body);
    expect({ status, code: answer.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.details.length).toBeGreaterThan(0);
  });

  it('counts characters, not what they are made of', async () => {
    expect((await lists.post('', { name: '🦊'.repeat(100) })).status).toBe(201);
    expect((await lists.post('', { name: '🦊'.repeat(101) })).status).toBe(400);
  });

  it.each(['\u200b', '\u3164\u00ad', '\u2800', '\u2060 \u200d'])(
    'refuses a name in which nothing can be seen: %j',
    async (name) => {
      expect((await lists.post('', { name })).status).toBe(400);
    },
  );

  it("lists the person's own, private ones too, the latest changed first", async () => {
    const second = (await lists.post('', { name: 'Walls' })).body.id as string;
    await lists.publish();
    const { body } = await lists.get('', lists.ownerToken);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([lists.collectionId, second]);
    expect((await lists.get('', lists.otherToken)).body.data).toEqual([]);
  });

  it('changes name, description and visibility, each alone, and counts the version', async () => {
    expect((await lists.post(`/${lists.collectionId}`, { description: 'All of them.' })).body).toMatchObject({
      description: 'All of them.',
      version: 2,
    });
    expect((await lists.post(`/${lists.collectionId}`, { name: 'Many foxes' })).body).toMatchObject({
      name: 'Many foxes',
      description: 'All of them.',
      version: 3,
    });
    expect((await lists.post(`/${lists.collectionId}`, { description: null })).body).toMatchObject({
      description: null,
      version: 4,
    });
  });

  it('deletes one with what is in it', async () => {
    await lists.addItems([(await createMarker(lists.server)).id]);
    expect((await lists.delete(`/${lists.collectionId}`)).status).toBe(204);
    expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).status).toBe(404);
    expect((await lists.delete(`/${lists.collectionId}`)).status).toBe(404);
  });

  it('tells an app that cannot read collections only what it wrote', async () => {
    const writing = await lists.issueAccessToken(lists.owner, ['collections:write']);
    await lists.post(`/${lists.collectionId}`, { description: 'A secret.' });
    expect((await lists.post(`/${lists.collectionId}`, { name: 'Renamed' }, writing)).body).toEqual({
      id: lists.collectionId,
      name: 'Renamed',
      version: 3,
    });
    expect(Object.keys((await lists.post('', { name: 'New' }, writing)).body).sort()).toEqual([
      'description',
      'id',
      'name',
      'version',
      'visibility',
    ]);
  });

  describe('A private one', () => {
    it('is the same 404 as a missing one for everyone else, and for an app that may not read', async () => {
      const missing = (await lists.get(`/${UNKNOWN_COLLECTION_ID}`)).body;
      const writing = await lists.issueAccessToken(lists.owner, ['collections:write', 'markers:read']);
      for (const as of [undefined, lists.otherToken, writing]) {
        const { status, body } = await lists.get(`/${lists.collectionId}`, as);
        expect({ status, body }).toEqual({ status: 404, body: missing });
      }
      expect(
        (await lists.get(`/${lists.collectionId}`, await lists.issueAccessToken(lists.owner, ['collections:read'])))
          .status,
      ).toBe(200);
    });

    it('cannot be changed, filled or deleted by others: the same 404', async () => {
      const missing = (await lists.get(`/${UNKNOWN_COLLECTION_ID}`)).body;
      const tries = [
        await lists.post(`/${lists.collectionId}`, { name: 'Mine' }, lists.otherToken),
        await lists.addItems([UNKNOWN_MARKER_ID], lists.otherToken),
        await lists.delete(`/${lists.collectionId}`, lists.otherToken),
        await lists.delete(`/${lists.collectionId}/items/${UNKNOWN_MARKER_ID}`, lists.otherToken),
      ];
      for (const { status, body } of tries) expect({ status, body }).toEqual({ status: 404, body: missing });
      expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body).toMatchObject({
        name: 'Foxes',
        version: 1,
      });
    });
  });

  describe('A public one', () => {
    beforeEach(() => lists.publish());

    it('needs no lists.token, and any valid lists.token will do', async () => {
      for (const as of [
        undefined,
        lists.otherToken,
        await lists.issueAccessToken(await createAccount(lists.server), ['edits:review']),
      ]) {
        expect((await lists.get(`/${lists.collectionId}`, as)).status).toBe(200);
      }
    });

    it('is changed by its lists.owner alone: not_owner for others', async () => {
      const tries = [
        await lists.post(`/${lists.collectionId}`, { name: 'Mine' }, lists.otherToken),
        await lists.addItems([UNKNOWN_MARKER_ID], lists.otherToken),
        await lists.delete(`/${lists.collectionId}`, lists.otherToken),
        await lists.delete(`/${lists.collectionId}/items/${UNKNOWN_MARKER_ID}`, lists.otherToken),
      ];
      for (const { status, body } of tries) {
        expect({ status, code: body.code, reason: body.reason }).toEqual({
          status: 403,
          code: 'not_allowed',
          reason: 'not_owner',
        });
      }
    });

    it('of a blocked person stays visible, and cannot be changed', async () => {
      await lists.server.get(AccountsService).block(lists.owner.username, 'A test.');
      expect((await lists.get(`/${lists.collectionId}`)).status).toBe(200);
      expect((await lists.get('', lists.ownerToken)).status).toBe(200);
      const tries = [
        await lists.post('', { name: 'New' }),
        await lists.post(`/${lists.collectionId}`, { name: 'New' }),
        await lists.addItems([UNKNOWN_MARKER_ID]),
        await lists.delete(`/${lists.collectionId}`),
      ];
      const blocked = await createAccount(lists.server);
      const theirs = await lists.issueAccessToken(blocked);
      await lists.server.get(AccountsService).block(blocked.username, 'A test.');
      tries.push(await lists.post(`/${lists.collectionId}`, { name: 'Not mine' }, theirs));
      for (const { status, body } of tries) {
        expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'account_blocked' });
      }
    });
  });
});
