import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createAccount, createMarker } from '../support/factories.js';

const UNKNOWN_COLLECTION_ID = 'col_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const UNKNOWN_MARKER_ID = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Collections API', () => {
  let collections: CollectionsFixture;

  beforeAll(async () => {
    collections = await CollectionsFixture.start();
  });
  beforeEach(() => collections.createOwner());
  afterAll(() => collections.server.stop());

  it('creates a private collection, and returns its location', async () => {
    const response = await collections.post('', { name: ' By the water ', description: '' });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      name: 'By the water',
      description: null,
      visibility: 'private',
      owner: { id: collections.owner.id, username: collections.owner.username },
      itemCount: 0,
      version: 1,
    });
    expect(
      (await collections.get(response.headers.get('location')!.replace('/api/collections', ''), collections.ownerToken))
        .body.items,
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
  ])('rejects a new collection of %j', async (body) => {
    const { status, body: response } = await collections.post('', body);
    expect({ status, code: response.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(response.details.length).toBeGreaterThan(0);
  });

  it('counts characters, not bytes', async () => {
    expect((await collections.post('', { name: '🦊'.repeat(100) })).status).toBe(201);
    expect((await collections.post('', { name: '🦊'.repeat(101) })).status).toBe(400);
  });

  it.each(['\u200b', '\u3164\u00ad', '\u2800', '\u2060 \u200d'])('rejects the invisible name %j', async (name) => {
    expect((await collections.post('', { name })).status).toBe(400);
  });

  it('lists the collections of the account, private ones too, the last changed first', async () => {
    const second = (await collections.post('', { name: 'Walls' })).body.id as string;
    await collections.publish();
    const { body } = await collections.get('', collections.ownerToken);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([collections.collectionId, second]);
    expect((await collections.get('', collections.otherToken)).body.data).toEqual([]);
  });

  it('changes the name, the description and the visibility independently, and increments the version', async () => {
    expect(
      (await collections.post(`/${collections.collectionId}`, { description: 'All of them.' })).body,
    ).toMatchObject({
      description: 'All of them.',
      version: 2,
    });
    expect((await collections.post(`/${collections.collectionId}`, { name: 'Many foxes' })).body).toMatchObject({
      name: 'Many foxes',
      description: 'All of them.',
      version: 3,
    });
    expect((await collections.post(`/${collections.collectionId}`, { description: null })).body).toMatchObject({
      description: null,
      version: 4,
    });
  });

  it('deletes a collection with its items', async () => {
    await collections.addItems([(await createMarker(collections.server)).id]);
    expect((await collections.delete(`/${collections.collectionId}`)).status).toBe(204);
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).status).toBe(404);
    expect((await collections.delete(`/${collections.collectionId}`)).status).toBe(404);
  });

  it('returns to an app without collections:read only the fields that it wrote', async () => {
    const writing = await collections.issueAccessToken(collections.owner, ['collections:write']);
    await collections.post(`/${collections.collectionId}`, { description: 'A secret.' });
    expect((await collections.post(`/${collections.collectionId}`, { name: 'Renamed' }, writing)).body).toEqual({
      id: collections.collectionId,
      name: 'Renamed',
      version: 3,
    });
    expect(Object.keys((await collections.post('', { name: 'New' }, writing)).body).sort()).toEqual([
      'description',
      'id',
      'name',
      'version',
      'visibility',
    ]);
  });

  describe('A private collection', () => {
    it('is the same 404 as a missing one for other accounts, and for an app without collections:read', async () => {
      const missing = (await collections.get(`/${UNKNOWN_COLLECTION_ID}`)).body;
      const writing = await collections.issueAccessToken(collections.owner, ['collections:write', 'markers:read']);
      for (const as of [undefined, collections.otherToken, writing]) {
        const { status, body } = await collections.get(`/${collections.collectionId}`, as);
        expect({ status, body }).toEqual({ status: 404, body: missing });
      }
      expect(
        (
          await collections.get(
            `/${collections.collectionId}`,
            await collections.issueAccessToken(collections.owner, ['collections:read']),
          )
        ).status,
      ).toBe(200);
    });

    it('cannot be changed, filled or deleted by other accounts: the same 404', async () => {
      const missing = (await collections.get(`/${UNKNOWN_COLLECTION_ID}`)).body;
      const tries = [
        await collections.post(`/${collections.collectionId}`, { name: 'Mine' }, collections.otherToken),
        await collections.addItems([UNKNOWN_MARKER_ID], collections.otherToken),
        await collections.delete(`/${collections.collectionId}`, collections.otherToken),
        await collections.delete(`/${collections.collectionId}/items/${UNKNOWN_MARKER_ID}`, collections.otherToken),
      ];
      for (const { status, body } of tries) expect({ status, body }).toEqual({ status: 404, body: missing });
      expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body).toMatchObject({
        name: 'Foxes',
        version: 1,
      });
    });
  });

  describe('A public collection', () => {
    beforeEach(() => collections.publish());

    it('can be read without a token and with any valid token', async () => {
      for (const as of [
        undefined,
        collections.otherToken,
        await collections.issueAccessToken(await createAccount(collections.server), ['edits:review']),
      ]) {
        expect((await collections.get(`/${collections.collectionId}`, as)).status).toBe(200);
      }
    });

    it('can be changed by its owner only: not_owner for other accounts', async () => {
      const tries = [
        await collections.post(`/${collections.collectionId}`, { name: 'Mine' }, collections.otherToken),
        await collections.addItems([UNKNOWN_MARKER_ID], collections.otherToken),
        await collections.delete(`/${collections.collectionId}`, collections.otherToken),
        await collections.delete(`/${collections.collectionId}/items/${UNKNOWN_MARKER_ID}`, collections.otherToken),
      ];
      for (const { status, body } of tries) {
        expect({ status, code: body.code, reason: body.reason }).toEqual({
          status: 403,
          code: 'not_allowed',
          reason: 'not_owner',
        });
      }
    });

    it('of a blocked account stays visible, and cannot be changed', async () => {
      await collections.server.get(AccountsService).block(collections.owner.username, 'A test.');
      expect((await collections.get(`/${collections.collectionId}`)).status).toBe(200);
      expect((await collections.get('', collections.ownerToken)).status).toBe(200);
      const tries = [
        await collections.post('', { name: 'New' }),
        await collections.post(`/${collections.collectionId}`, { name: 'New' }),
        await collections.addItems([UNKNOWN_MARKER_ID]),
        await collections.delete(`/${collections.collectionId}`),
      ];
      const blocked = await createAccount(collections.server);
      const otherEdit = await collections.issueAccessToken(blocked);
      await collections.server.get(AccountsService).block(blocked.username, 'A test.');
      tries.push(await collections.post(`/${collections.collectionId}`, { name: 'Not mine' }, otherEdit));
      for (const { status, body } of tries) {
        expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'account_blocked' });
      }
    });
  });
});
