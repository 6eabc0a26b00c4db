import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { RecordFixture } from '../support/record-fixture.js';

const UNDONE = 'Undone.';
const CHANGED = 'Nothing was undone: something changed since.';
const [FIRST, OTHER] = [0, 1] as const;

describe('Undo of changes of collections', () => {
  let record: RecordFixture;
  let id: string;
  let markerIds: string[];

  beforeAll(async () => {
    record = await RecordFixture.start();
  });
  beforeEach(async () => {
    await record.createPerson();
    markerIds = record.markerIds;
    id = await record.createCollection(FIRST, markerIds.slice(0, 3));
  });
  afterEach(restoreClock);
  afterAll(() => record.server.stop());

  const find = () => record.findCollection(id);
  const change = (app: 0 | 1, body: object) => record.send(app, 'POST', `/collections/${id}`, body);
  const remove = (app: 0 | 1, markerId: string) => record.send(app, 'DELETE', `/collections/${id}/items/${markerId}`);
  const order = (app: 0 | 1, ids: string[]) => record.send(app, 'POST', `/collections/${id}/order`, { markerIds: ids });
  const countUndone = async (): Promise<number> =>
    record.server.entityManager.countBy(AuditEvent, { accountId: record.account.id, type: 'app_action.undone' });

  it('returns the name, the description and the visibility', async () => {
    await change(FIRST, { name: 'Owls', description: 'At night.', visibility: 'public' });
    expect(await record.undo(FIRST)).toBe(UNDONE);
    const { body } = await record.send(FIRST, 'GET', `/collections/${id}`);
    expect(body).toMatchObject({ name: 'Foxes', description: null, visibility: 'private' });
  });

  it('takes added artworks out again, and returns removed ones to their place with their note', async () => {
    await record.send(FIRST, 'POST', `/collections/${id}/items/${markerIds[1]}`, { note: 'Before nine.' });
    await remove(FIRST, markerIds[1]!);
    await record.addItems(FIRST, id, [markerIds[3]!]);
    expect(await record.undo(FIRST, 'collection.item_removed')).toBe(UNDONE);
    expect((await find())?.markerIds).toEqual(markerIds);
    expect((await find())?.notes).toEqual([null, 'Before nine.', null, null]);
    expect(await record.undo(FIRST, 'collection.items_added')).toBe(UNDONE);
    expect((await find())?.markerIds).toEqual(markerIds.slice(0, 3));
  });

  it('returns the last artwork to its place, in front of one that was added since', async () => {
    await remove(FIRST, markerIds[2]!);
    await record.addItems(OTHER, id, [markerIds[3]!]);
    expect(await record.undo(FIRST)).toBe(UNDONE);
    expect((await find())?.markerIds).toEqual(markerIds);
  });

  it('returns the order before, with later artworks at the end', async () => {
    await order(FIRST, [markerIds[2]!, markerIds[0]!]);
    await record.addItems(OTHER, id, [markerIds[3]!]);
    expect(await record.undo(FIRST)).toBe(UNDONE);
    expect((await find())?.markerIds).toEqual(markerIds);
  });

  it('returns a note', async () => {
    await record.send(FIRST, 'POST', `/collections/${id}/items/${markerIds[0]}`, { note: 'One.' });
    await record.send(FIRST, 'POST', `/collections/${id}/items/${markerIds[0]}`, { note: 'Two.' });
    expect(await record.undo(FIRST)).toBe(UNDONE);
    expect((await find())?.notes[0]).toBe('One.');
  });

  it('brings a deleted collection back, with its items, order and id', async () => {
    await order(FIRST, [markerIds[2]!]);
    const before = await find();
    await record.send(FIRST, 'DELETE', `/collections/${id}`);
    expect(await find()).toBeNull();
    expect(await record.undo(FIRST)).toBe(UNDONE);
    expect(await find()).toEqual(before);
    expect((await change(FIRST, { name: 'Owls' })).status).toBe(200);
  });

  it('deletes a created collection, with the later changes of the same app', async () => {
    await change(FIRST, { name: 'Owls' });
    expect(await record.undo(FIRST, 'collection.created')).toBe(UNDONE);
    expect(await find()).toBeNull();
    expect((await record.listLines(FIRST)).every(({ undoneAt }) => undoneAt)).toBe(true);
    expect(await countUndone()).toBe(3);
  });

  it('undoes later changes of the same app first', async () => {
    await change(FIRST, { name: 'Owls' });
    await change(FIRST, { name: 'Bats' });
    const older = (await record.listLines(FIRST))[1]!;
    expect(await record.press(FIRST, older.id)).toBe(UNDONE);
    expect((await find())?.name).toBe('Foxes');
    expect(await countUndone()).toBe(2);
  });

  it('leaves an artwork that another app removed and added again, and takes the rest out', async () => {
    await remove(OTHER, markerIds[0]!);
    await record.addItems(OTHER, id, [markerIds[0]!]);
    expect(await record.undo(FIRST, 'collection.items_added')).toBe(UNDONE);
    expect((await find())?.markerIds).toEqual([markerIds[0]]);
  });

  it.each([
    ['a changed name', 'collection.changed', () => change(FIRST, { name: 'Owls' }), () => change(OTHER, { name: 'B' })],
    ['an order', 'collection.ordered', () => order(FIRST, [markerIds[2]!]), () => order(OTHER, [markerIds[1]!])],
    [
      'a removed artwork, after another order',
      'collection.item_removed',
      () => remove(FIRST, markerIds[2]!),
      () => order(OTHER, [markerIds[1]!]),
    ],
    [
      'a removed artwork that another app added again',
      'collection.item_removed',
      () => remove(FIRST, markerIds[2]!),
      () => record.addItems(OTHER, id, [markerIds[2]!]),
    ],
    [
      'a created collection',
      'collection.created',
      () => change(FIRST, { name: 'Owls' }),
      () => record.addItems(OTHER, id, [markerIds[3]!]),
    ],
    [
      'a change of a deleted collection',
      'collection.changed',
      () => change(FIRST, { name: 'Owls' }),
      () => record.send(OTHER, 'DELETE', `/collections/${id}`),
    ],
  ])('does not undo %s, and says what changed since', async (_, action, first, later) => {
    await first();
    await later();
    const before = await find();
    const line = (await record.listLines(FIRST)).find((other) => other.action === action)!;
    const { html } = await record.openRecord(FIRST);
    expect(html).not.toContain(`value="${line.id}"`);
    expect(html).toContain(
      action === 'collection.changed' && !before ? 'The collection was deleted on' : 'Changed since by',
    );
    expect(await record.press(FIRST, line.id)).toBe(CHANGED);
    expect(await find()).toEqual(before);
    expect(await countUndone()).toBe(0);
  });

  it('undoes an older change once the later change of the other app is undone', async () => {
    await change(FIRST, { name: 'Owls' });
    await change(OTHER, { name: 'Bats' });
    expect(await record.undo(FIRST)).toBe(CHANGED);
    expect(await record.undo(OTHER)).toBe(UNDONE);
    expect(await record.undo(FIRST)).toBe(UNDONE);
    expect((await find())?.name).toBe('Foxes');
  });

  it('is done once when the button is pressed twice, in two browsers at the same time', async () => {
    await change(FIRST, { name: 'Owls' });
    const line = (await record.listLines(FIRST))[0]!;
    const second = new BrowserClient(record.server);
    await second.signIn(record.account);
    await Promise.all([record.press(FIRST, line.id), record.press(FIRST, line.id, second)]);
    await change(OTHER, { name: 'Bats' });
    expect(await record.press(FIRST, line.id)).toBe(UNDONE);
    expect((await find())?.name).toBe('Bats');
    expect(await countUndone()).toBe(1);
  });

  it('belongs to the person: another one cannot undo it, nor see the record', async () => {
    const line = (await record.listLines(FIRST))[0]!;
    const stranger = new BrowserClient(record.server);
    await stranger.signIn(await createAccount(record.server));
    expect((await record.openRecord(FIRST, stranger)).status).toBe(404);
    expect((await stranger.post(record.getAppPath(FIRST), { what: line.id })).status).toBe(404);
    expect((await stranger.get(`/collections/${id}`)).status).toBe(404);
    expect((await record.browser.post(record.getAppPath(OTHER), { what: line.id })).status).toBe(404);
    expect((await find())?.markerIds).toHaveLength(3);
  });

  it('is not offered to a blocked person, who can still remove the access', async () => {
    await record.server.get(AccountsService).block(record.account.username, 'Spam.');
    const { html } = await record.openRecord(FIRST);
    expect(html).not.toMatch(/>Undo<|Remove access and undo/);
    const line = (await record.listLines(FIRST))[0]!;
    expect((await record.browser.post(record.getAppPath(FIRST), { what: line.id })).status).toBe(403);
    expect(await record.press(FIRST, 'access')).toContain('was removed');
  });

  it.each(['', 'nonsense', 'act_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'aut_01ARZ3NDEKTSV4RRFFQ69G5FAV'])(
    'changes nothing for "%s"',
    async (what) => {
      const { status } = await record.browser.post(record.getAppPath(FIRST), { what });
      expect(status).toBe(what.startsWith('act_') ? 404 : 303);
      expect((await find())?.markerIds).toHaveLength(3);
      expect((await record.send(FIRST, 'GET', '/collections')).status).toBe(200);
    },
  );

  it('of a deletion waits until there is room for the collection', async () => {
    await record.send(FIRST, 'DELETE', `/collections/${id}`);
    for (let count = 0; count < 200; count++) await record.send(OTHER, 'POST', '/collections', { name: `C ${count}` });
    expect(await record.undo(FIRST)).toContain('too many collections');
    expect(await find()).toBeNull();
    await record.undo(OTHER);
    expect(await record.undo(FIRST)).toBe(UNDONE);
  });

  it('stays possible after the access was removed, with the names of the record', async () => {
    await change(FIRST, { name: 'Owls' });
    await record.press(FIRST, 'access');
    advanceClock(100 * DAY_MS);
    await record.browser.signIn(record.account);
    const { html } = await record.openRecord(FIRST);
    expect(html).toContain(`href="/collections/${id}"`);
    expect((await record.browser.get(`/collections/${id}`)).html).toContain('<h1>Owls</h1>');
    expect(await record.undo(FIRST)).toBe(UNDONE);
  });
});
