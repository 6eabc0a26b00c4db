import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { Transactions } from '../../src/database/transactions.js';
import { MarkersService } from '../../src/markers/markers.service.js';
import type { Scope } from '../../src/scopes/catalogue.js';
import { newAccount, newApp, newMarker, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';

const UNKNOWN = 'col_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const NO_MARKER = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The Collections API', () => {
  let service: Service;
  let client: TestApp;
  let owner: Account;
  let token: string;
  let stranger: string;
  let id: string;

  beforeAll(async () => {
    service = await Service.start();
    client = await newApp(service);
    stranger = await tokenOf(await newAccount(service));
  });
  beforeEach(async () => {
    owner = await newAccount(service);
    token = await tokenOf(owner);
    id = (await post('', { name: 'Foxes' })).body.id as string;
  });
  afterAll(() => service.stop());

  const tokenOf = async (account: Account, scopes?: Scope[]): Promise<string> =>
    (await newTokens(service, { app: client.app, account, ...(scopes && { scopes }) })).access_token;
  const post = (path: string, body: unknown, as = token): Promise<Answer> =>
    service.call('POST', `/api/collections${path}`, { token: as, body });
  const get = (path: string, as?: string): Promise<Answer> =>
    service.call('GET', `/api/collections${path}`, { ...(as !== undefined && { token: as }) });
  const remove = (path: string, as = token): Promise<Answer> =>
    service.call('DELETE', `/api/collections${path}`, { token: as });
  const add = (markerIds: string[], as = token): Promise<Answer> =>
    post(`/${id}/items`, { items: markerIds.map((markerId) => ({ markerId })) }, as);
  const titles = async (): Promise<string[]> =>
    (await get(`/${id}?limit=100`, token)).body.items.map(
      ({ artwork }: { artwork: { title: string } }) => artwork.title,
    );
  const publish = (): Promise<Answer> => post(`/${id}`, { visibility: 'public' });

  it('makes one: private, empty, and found where the answer says', async () => {
    const answer = await post('', { name: ' By the water ', description: '' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'By the water',
      description: null,
      visibility: 'private',
      owner: { id: owner.id, username: owner.username },
      itemCount: 0,
      version: 1,
    });
    expect((await get(answer.headers.get('location')!.replace('/api/collections', ''), token)).body.items).toEqual([]);
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
    const { status, body: answer } = await post('', body);
    expect({ status, code: answer.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.details.length).toBeGreaterThan(0);
  });

  it("lists the person's own, private ones too, the latest changed first", async () => {
    const second = (await post('', { name: 'Walls' })).body.id as string;
    await publish();
    const { body } = await get('', token);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id, second]);
    expect((await get('', stranger)).body.data).toEqual([]);
  });

  it('changes name, description and visibility, each alone, and counts the version', async () => {
    expect((await post(`/${id}`, { description: 'All of them.' })).body).toMatchObject({
      description: 'All of them.',
      version: 2,
    });
    expect((await post(`/${id}`, { name: 'Many foxes' })).body).toMatchObject({
      name: 'Many foxes',
      description: 'All of them.',
      version: 3,
    });
    expect((await post(`/${id}`, { description: null })).body).toMatchObject({ description: null, version: 4 });
  });

  it('deletes one with what is in it', async () => {
    await add([(await newMarker(service)).id]);
    expect((await remove(`/${id}`)).status).toBe(204);
    expect((await get(`/${id}`, token)).status).toBe(404);
    expect((await remove(`/${id}`)).status).toBe(404);
  });

  it('keeps artworks in the order in which they were added, a page at a time', async () => {
    const works = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((title) => newMarker(service, { title })));
    await add([works[2]!.id, works[0]!.id]);
    await add([works[4]!.id, works[2]!.id, works[1]!.id, works[3]!.id]);
    expect(await titles()).toEqual(['C', 'A', 'E', 'B', 'D']);
    const first = (await get(`/${id}?limit=3`, token)).body;
    expect(first).toMatchObject({ itemCount: 5, page: { limit: 3 } });
    const second = (await get(`/${id}?limit=3&cursor=${first.page.nextCursor}`, token)).body;
    expect(second.items.map(({ artwork }: { artwork: { title: string } }) => artwork.title)).toEqual(['B', 'D']);
    expect(second.page.nextCursor).toBeNull();
  });

  it('adds many at once, twice the same without harm, and says which it does not know', async () => {
    const [one, two] = [await newMarker(service), await newMarker(service)];
    const { status, body } = await add([one.id, two.id, one.id, NO_MARKER, 'nonsense', NO_MARKER]);
    expect(status).toBe(200);
    expect(body).toEqual({ notFound: [NO_MARKER, 'nonsense'], collection: { id, version: 2 } });
    expect((await add([one.id])).body).toEqual({ notFound: [], collection: { id, version: 2 } });
    expect((await get(`/${id}`, token)).body.itemCount).toBe(2);
  });

  it('loses nothing where many add at once', async () => {
    const works = await Promise.all(Array.from({ length: 12 }, () => newMarker(service)));
    const answers = await Promise.all(works.map((work) => add([work.id])));
    expect(answers.map(({ status }) => status)).toEqual(works.map(() => 200));
    expect((await get(`/${id}`, token)).body).toMatchObject({ itemCount: 12, version: 13 });
    expect(await titles()).toHaveLength(12);
  });

  it('refuses a cursor of its own whose position was changed', async () => {
    await add([(await newMarker(service)).id, (await newMarker(service)).id]);
    const cursor = (await get(`/${id}?limit=1`, token)).body.page.nextCursor as string;
    const [, markerId, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    for (const position of ['1', 1.5, 2 ** 31, -(2 ** 53), null]) {
      const spoiled = Buffer.from(JSON.stringify([position, markerId, list])).toString('base64url');
      expect((await get(`/${id}?limit=1&cursor=${spoiled}`, token)).body.code).toBe('invalid_cursor');
    }
  });

  it('holds 1000 artworks and no more', async () => {
    const works: string[] = [];
    for (let at = 0; at < 1001; at++) works.push((await newMarker(service)).id);
    for (let at = 0; at < 1000; at += 100) expect((await add(works.slice(at, at + 100))).status).toBe(200);
    const { status, body } = await add([works[1000]!]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
    expect((await add(works.slice(0, 100))).status).toBe(200);
  });

  it('are 200 for a person and no more', async () => {
    for (let at = 1; at < 200; at++) expect((await post('', { name: `List ${at}` })).status).toBe(201);
    const { status, body } = await post('', { name: 'One too many' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
  });

  it('counts no version where nothing is changed', async () => {
    expect((await post(`/${id}`, {})).body).toMatchObject({ id, version: 1 });
  });

  it('does not show an artwork that was deleted since', async () => {
    const [work, other] = [await newMarker(service, { title: 'Kept' }), await newMarker(service, { title: 'Deleted' })];
    await add([work.id, other.id]);
    const markers = service.get(MarkersService);
    await service
      .get(Transactions)
      .run(async (tx) => markers.setDeleted(tx, (await markers.read(tx, other.id))!, new Date()));
    expect(await titles()).toEqual(['Kept']);
  });

  it('refuses a place, and adds none of the others then', async () => {
    const [work, place] = [await newMarker(service), await newMarker(service, { placeType: 'gallery' })];
    const { status, body } = await add([work.id, place.id]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'not_an_artwork' });
    expect(await titles()).toEqual([]);
  });

  it('refuses no item, and more than 100 at once', async () => {
    for (const items of [[], Array.from({ length: 101 }, () => ({ markerId: NO_MARKER }))]) {
      expect((await post(`/${id}/items`, { items })).status).toBe(400);
    }
  });

  it('takes an artwork out, and does not mind when it is not there', async () => {
    const work = await newMarker(service);
    await add([work.id]);
    for (const markerId of [work.id, work.id, NO_MARKER, 'nonsense']) {
      expect((await remove(`/${id}/items/${markerId}`)).status).toBe(204);
    }
    expect((await get(`/${id}`, token)).body).toMatchObject({ itemCount: 0, version: 3, items: [] });
  });

  it('tells an app that cannot read collections only what it wrote', async () => {
    const writing = await tokenOf(owner, ['collections:write']);
    await post(`/${id}`, { description: 'A secret.' });
    expect((await post(`/${id}`, { name: 'Renamed' }, writing)).body).toEqual({ id, name: 'Renamed', version: 3 });
    expect(Object.keys((await post('', { name: 'New' }, writing)).body).sort()).toEqual([
      'description',
      'id',
      'name',
      'version',
      'visibility',
    ]);
  });

  describe('A private one', () => {
    it('is the same 404 as a missing one for everyone else, and for an app that may not read', async () => {
      const missing = (await get(`/${UNKNOWN}`)).body;
      const writing = await tokenOf(owner, ['collections:write', 'markers:read']);
      for (const as of [undefined, stranger, writing]) {
        const { status, body } = await get(`/${id}`, as);
        expect({ status, body }).toEqual({ status: 404, body: missing });
      }
      expect((await get(`/${id}`, await tokenOf(owner, ['collections:read']))).status).toBe(200);
    });

    it('cannot be changed, filled or deleted by others: the same 404', async () => {
      const missing = (await get(`/${UNKNOWN}`)).body;
      const tries = [
        await post(`/${id}`, { name: 'Mine' }, stranger),
        await add([NO_MARKER], stranger),
        await remove(`/${id}`, stranger),
        await remove(`/${id}/items/${NO_MARKER}`, stranger),
      ];
      for (const { status, body } of tries) expect({ status, body }).toEqual({ status: 404, body: missing });
      expect((await get(`/${id}`, token)).body).toMatchObject({ name: 'Foxes', version: 1 });
    });
  });

  describe('A public one', () => {
    beforeEach(publish);

    it('needs no token, and any valid token will do', async () => {
      for (const as of [undefined, stranger, await tokenOf(await newAccount(service), ['edits:review'])]) {
        expect((await get(`/${id}`, as)).status).toBe(200);
      }
    });

    it('is changed by its owner alone: not_owner for others', async () => {
      const tries = [
        await post(`/${id}`, { name: 'Mine' }, stranger),
        await add([NO_MARKER], stranger),
        await remove(`/${id}`, stranger),
        await remove(`/${id}/items/${NO_MARKER}`, stranger),
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
      await service.get(AccountsService).block(owner.username, 'A test.');
      expect((await get(`/${id}`)).status).toBe(200);
      expect((await get('', token)).status).toBe(200);
      const tries = [
        await post('', { name: 'New' }),
        await post(`/${id}`, { name: 'New' }),
        await add([NO_MARKER]),
        await remove(`/${id}`),
      ];
      const blocked = await newAccount(service);
      const theirs = await tokenOf(blocked);
      await service.get(AccountsService).block(blocked.username, 'A test.');
      tries.push(await post(`/${id}`, { name: 'Not mine' }, theirs));
      for (const { status, body } of tries) {
        expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'account_blocked' });
      }
    });
  });
});
