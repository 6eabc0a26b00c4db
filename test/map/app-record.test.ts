import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppAction } from '../../src/identity/app-record/app-action.entity.js';
import { AppRecordService } from '../../src/identity/app-record/app-record.service.js';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { buildFirstId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createAccount, createMarker, issueTokens } from '../support/factories.js';
import { DAY_MS } from '../support/fake-clock.js';
import type { TestResponse } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

describe('The record of an app', () => {
  let fixture: CollectionsFixture;
  let markerIds: string[];

  beforeAll(async () => {
    fixture = await CollectionsFixture.start();
  });
  beforeEach(async () => {
    await fixture.createOwner();
    markerIds = [];
    for (let count = 0; count < 3; count++) markerIds.push((await createMarker(fixture.server)).id);
  });
  afterAll(() => fixture.server.stop());

  const listLines = (): Promise<AppAction[]> =>
    fixture.server.entityManager.find(AppAction, { where: { accountId: fixture.owner.id }, order: { id: 'ASC' } });
  const listActions = async (): Promise<string[]> => (await listLines()).map(({ action }) => action);
  const change = (body: object): Promise<TestResponse> => fixture.post(`/${fixture.collectionId}`, body);
  const suggest = async (token = fixture.ownerToken): Promise<string> => {
    const body = {
      type: 'update',
      targetType: 'artwork',
      targetId: markerIds[0],
      baseVersion: 1,
      changes: { year: 2001 },
    };
    return (await fixture.server.request('POST', '/api/edits', { token, body })).body.id as string;
  };

  it('has a line for each write of collections, in its order, with the version of the collection', async () => {
    await change({ name: 'Owls' });
    await fixture.addItems(markerIds);
    await fixture.post(`/${fixture.collectionId}/items/${markerIds[0]}`, { note: 'Before nine.' });
    await fixture.post(`/${fixture.collectionId}/order`, { markerIds: [markerIds[2]] });
    await fixture.delete(`/${fixture.collectionId}/items?markerIds=${markerIds[0]}`);
    await fixture.delete(`/${fixture.collectionId}`);
    const lines = await listLines();
    expect(lines.map(({ action, targetVersion }) => [action, targetVersion])).toEqual([
      ['collection.created', 1],
      ['collection.changed', 2],
      ['collection.items_added', 3],
      ['collection.changed', 4],
      ['collection.ordered', 5],
      ['collection.item_removed', 6],
      ['collection.deleted', 7],
    ]);
    const { app } = fixture.client;
    for (const line of lines) expect(line).toMatchObject({ appId: app.id, targetId: fixture.collectionId });
    const exported = await fixture.server.get(AppRecordService).export(fixture.owner.id);
    expect(exported[0]).toEqual({
      at: lines[0]!.at.toISOString(),
      action: 'collection.created',
      client: { id: app.id, name: app.name },
      target: { type: 'collection', id: fixture.collectionId },
    });
  });

  it('has a line for each suggestion, withdrawal and decision, of the person who acted', async () => {
    const moderator = await createAccount(fixture.server, { role: 'moderator' });
    const token = (await issueTokens(fixture.server, { app: fixture.client.app, account: moderator })).access_token;
    const decide = (id: string, action: string): Promise<TestResponse> =>
      fixture.server.request('POST', `/api/edits/${id}/${action}`, { token, body: { comment: 'A reason.' } });
    const withdrawn = await suggest();
    await fixture.server.request('POST', `/api/edits/${withdrawn}/withdraw`, { token: fixture.ownerToken });
    const rejected = await suggest();
    await decide(rejected, 'reject');
    const reverted = await suggest();
    await decide(reverted, 'accept');
    await decide(reverted, 'revert');
    expect((await listLines()).map(({ action, targetId }) => [action, targetId]).slice(1)).toEqual([
      ['edit.suggested', withdrawn],
      ['edit.withdrawn', withdrawn],
      ['edit.suggested', rejected],
      ['edit.suggested', reverted],
    ]);
    const decisions = await fixture.server.get(AppRecordService).export(moderator.id);
    expect(decisions.map((line) => (line as { action: string }).action)).toEqual([
      'edit.rejected',
      'edit.accepted',
      'edit.reverted',
    ]);
  });

  it.each([
    ['a read', () => fixture.get(`/${fixture.collectionId}`, fixture.ownerToken)],
    ['a change that changes nothing', () => change({ name: 'Foxes' })],
    ['a change without members', () => change({})],
    ['an unknown artwork', () => fixture.addItems(['mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV'])],
    [
      'the removal of an artwork that is not in the collection',
      () => fixture.delete(`/${fixture.collectionId}/items?markerIds=${markerIds[0]}`),
    ],
    ['an order that is the same', () => fixture.post(`/${fixture.collectionId}/order`, { markerIds })],
    ['an invalid request', () => change({ name: '' })],
    [
      'the write of another person',
      () => fixture.post(`/${fixture.collectionId}`, { name: 'Taken' }, fixture.otherToken),
    ],
    [
      'a change of another version',
      () =>
        fixture.server.request('POST', `/api/collections/${fixture.collectionId}`, {
          token: fixture.ownerToken,
          body: { name: 'Owls' },
          headers: { 'If-Match': '"9"' },
        }),
    ],
    [
      'a suggestion of nothing',
      () => fixture.server.request('POST', '/api/edits', { token: fixture.ownerToken, body: {} }),
    ],
  ])('has no line for %s', async (_, request) => {
    await request();
    expect(await listActions()).toEqual(['collection.created']);
  });

  it('has no line for a refresh', async () => {
    const tokens = await issueTokens(fixture.server, { app: fixture.client.app, account: fixture.owner });
    expect((await refreshTokens(fixture.server, fixture.client, tokens.refresh_token)).status).toBe(200);
    expect(await listActions()).toEqual(['collection.created']);
  });

  it('has one line for a write that is repeated with its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'the-same-key-twice' };
    for (let count = 0; count < 2; count++) {
      const body = { name: 'Doors' };
      await fixture.server.request('POST', '/api/collections', { token: fixture.ownerToken, body, headers });
    }
    expect(await listActions()).toEqual(['collection.created', 'collection.created']);
  });

  it('ends after APP_RECORD_RETENTION', async () => {
    const [line] = await listLines();
    const copy = (days: number): AppAction => ({ ...line!, id: buildFirstId('act', Date.now() - days * DAY_MS) });
    const [young, old] = [copy(179), copy(181)];
    await fixture.server.get(TransactionService).run((tx) => tx.insert(AppAction, [young, old]));
    await fixture.server.get(RetentionService).deleteExpired(Date.now());
    expect((await listLines()).map(({ id }) => id)).toEqual([young.id, line!.id]);
  });

  it('is deleted with the account', async () => {
    await fixture.server.get(DeletionService).delete(fixture.owner);
    expect(await listActions()).toEqual([]);
  });
});
