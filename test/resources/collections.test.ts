import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { newAccount, newMarker } from '../support/factories.js';

const UNKNOWN = 'col_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const NO_MARKER = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The Collections API', () => {
  let lists: CollectionsFixture;

  beforeAll(async () => {
    lists = await CollectionsFixture.start();
  });
  beforeEach(() => lists.newOwner());
  afterAll(() => lists.service.stop());

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
      (await lists.get(answer.headers.get('location')!.replace('/api/collections', ''), lists.token)).body.items,
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
    const { body } = await lists.get('', lists.token);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([lists.id, second]);
    expect((await lists.get('', lists.stranger)).body.data).toEqual([]);
  });

  it('changes name, description and visibility, each alone, and counts the version', async () => {
    expect((await lists.post(`/${lists.id}`, { description: 'All of them.' })).body).toMatchObject({
      description: 'All of them.',
      version: 2,
    });
    expect((await lists.post(`/${lists.id}`, { name: 'Many foxes' })).body).toMatchObject({
      name: 'Many foxes',
      description: 'All of them.',
      version: 3,
    });
    expect((await lists.post(`/${lists.id}`, { description: null })).body).toMatchObject({
      description: null,
      version: 4,
    });
  });

  it('deletes one with what is in it', async () => {
    await lists.add([(await newMarker(lists.service)).id]);
    expect((await lists.remove(`/${lists.id}`)).status).toBe(204);
    expect((await lists.get(`/${lists.id}`, lists.token)).status).toBe(404);
    expect((await lists.remove(`/${lists.id}`)).status).toBe(404);
  });

  it('tells an app that cannot read collections only what it wrote', async () => {
    const writing = await lists.tokenOf(lists.owner, ['collections:write']);
    await lists.post(`/${lists.id}`, { description: 'A secret.' });
    expect((await lists.post(`/${lists.id}`, { name: 'Renamed' }, writing)).body).toEqual({
      id: lists.id,
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
      const missing = (await lists.get(`/${UNKNOWN}`)).body;
      const writing = await lists.tokenOf(lists.owner, ['collections:write', 'markers:read']);
      for (const as of [undefined, lists.stranger, writing]) {
        const { status, body } = await lists.get(`/${lists.id}`, as);
        expect({ status, body }).toEqual({ status: 404, body: missing });
      }
      expect((await lists.get(`/${lists.id}`, await lists.tokenOf(lists.owner, ['collections:read']))).status).toBe(
        200,
      );
    });

    it('cannot be changed, filled or deleted by others: the same 404', async () => {
      const missing = (await lists.get(`/${UNKNOWN}`)).body;
      const tries = [
        await lists.post(`/${lists.id}`, { name: 'Mine' }, lists.stranger),
        await lists.add([NO_MARKER], lists.stranger),
        await lists.remove(`/${lists.id}`, lists.stranger),
        await lists.remove(`/${lists.id}/items/${NO_MARKER}`, lists.stranger),
      ];
      for (const { status, body } of tries) expect({ status, body }).toEqual({ status: 404, body: missing });
      expect((await lists.get(`/${lists.id}`, lists.token)).body).toMatchObject({ name: 'Foxes', version: 1 });
    });
  });

  describe('A public one', () => {
    beforeEach(() => lists.publish());

    it('needs no lists.token, and any valid lists.token will do', async () => {
      for (const as of [
        undefined,
        lists.stranger,
        await lists.tokenOf(await newAccount(lists.service), ['edits:review']),
      ]) {
        expect((await lists.get(`/${lists.id}`, as)).status).toBe(200);
      }
    });

    it('is changed by its lists.owner alone: not_owner for others', async () => {
      const tries = [
        await lists.post(`/${lists.id}`, { name: 'Mine' }, lists.stranger),
        await lists.add([NO_MARKER], lists.stranger),
        await lists.remove(`/${lists.id}`, lists.stranger),
        await lists.remove(`/${lists.id}/items/${NO_MARKER}`, lists.stranger),
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
      await lists.service.get(AccountsService).block(lists.owner.username, 'A test.');
      expect((await lists.get(`/${lists.id}`)).status).toBe(200);
      expect((await lists.get('', lists.token)).status).toBe(200);
      const tries = [
        await lists.post('', { name: 'New' }),
        await lists.post(`/${lists.id}`, { name: 'New' }),
        await lists.add([NO_MARKER]),
        await lists.remove(`/${lists.id}`),
      ];
      const blocked = await newAccount(lists.service);
      const theirs = await lists.tokenOf(blocked);
      await lists.service.get(AccountsService).block(blocked.username, 'A test.');
      tries.push(await lists.post(`/${lists.id}`, { name: 'Not mine' }, theirs));
      for (const { status, body } of tries) {
        expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'account_blocked' });
      }
    });
  });
});
