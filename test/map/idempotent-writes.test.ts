import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { IdempotentResponse } from '../../src/platform/idempotency/idempotent-response.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createAccount, createMarker, issueTokens, registerApp } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import type { TestResponse } from '../support/test-server.js';

const WRITE_SCOPES: Scope[] = ['collections:write', 'edits:write'];

describe('A write with an Idempotency-Key', () => {
  let edits: EditsFixture;
  let person: Account;
  let token: string;
  let writeOnly: string;
  let keyCount = 0;
  let key: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(async () => {
    await edits.createArtwork();
    person = await createAccount(edits.server);
    token = await edits.issueAccessToken(person);
    writeOnly = await edits.issueAccessToken(person, WRITE_SCOPES);
    key = `key ${++keyCount}`;
  });
  afterEach(restoreClock);
  afterAll(() => edits.server.stop());

  const post = (path: string, body: unknown, options: { token?: string; key?: string } = {}): Promise<TestResponse> =>
    edits.server.request('POST', `/api${path}`, {
      token: options.token ?? token,
      body,
      headers: { 'Idempotency-Key': options.key ?? key },
    });
  const isReplay = ({ headers }: TestResponse): boolean => headers.get('idempotency-replayed') === 'true';
  const createCollection = (body: unknown = { name: 'Doors' }, options = {}): Promise<TestResponse> =>
    post('/collections', body, options);
  const countCollections = async (): Promise<number> =>
    (await edits.server.request('GET', '/api/collections?limit=100', { token })).body.data.length as number;
  const expectReplay = (replay: TestResponse, { status, body, headers }: TestResponse): void => {
    expect({ status: replay.status, body: replay.body as unknown, isReplay: isReplay(replay) }).toEqual({
      status,
      body,
      isReplay: true,
    });
    expect(replay.headers.get('location')).toBe(headers.get('location'));
  };
  const expectError = ({ status, body }: TestResponse, expectedStatus: number, code: string): void =>
    expect({ status, code: body.code }).toEqual({ status: expectedStatus, code });

  it('is made once, and its first response is repeated', async () => {
    const first = await createCollection();
    expect({ status: first.status, isReplay: isReplay(first) }).toEqual({ status: 201, isReplay: false });
    expectReplay(await createCollection(), first);
    expect(await countCollections()).toBe(1);

    const edit = await post('/edits', edits.buildUpdate({ year: 2001 }));
    expectReplay(await post('/edits', edits.buildUpdate({ year: 2001 })), edit);

    const path = `/collections/${first.body.id}/items`;
    const items = [{ markerId: edits.artwork.id }, { markerId: 'mrk_nowhere' }];
    const added = await post(path, { items });
    expect(added.body).toEqual({ notFound: ['mrk_nowhere'], collection: { id: first.body.id, version: 2 } });
    expectReplay(await post(path, { items }), added);
  });

  it('repeats the first response after the resource was changed or deleted', async () => {
    const first = await createCollection();
    const path = `/collections/${first.body.id}`;
    const added = await post(`${path}/items`, { items: [{ markerId: edits.artwork.id }] });
    await edits.server.request('POST', `/api${path}`, { token, body: { name: 'Gates' } });
    expectReplay(await createCollection(), first);
    await edits.server.request('DELETE', `/api${path}`, { token });
    expectReplay(await createCollection(), first);
    expectReplay(await post(`${path}/items`, { items: [{ markerId: edits.artwork.id }] }), added);
    expect(await countCollections()).toBe(0);
  });

  it('compares bodies as JSON values', async () => {
    const first = await post('/collections', '{"name":"Doors","visibility":"private","description":null}');
    expectReplay(
      await post('/collections', '{ "description":null,\n"visibility":"private","name":"D\\u006fors"}'),
      first,
    );
    for (const body of [
      { name: 'Doors', visibility: 'private' },
      { name: 'Doors', visibility: 'private', description: '' },
      { name: 'Doors ', visibility: 'private', description: null },
      { name: 'Gates', visibility: 'private', description: null },
    ])
      expectError(await createCollection(body), 422, 'idempotency_key_reused');
    const created = await createCollection({ name: 'Two' }, { key: `${key} other` });
    const items = [{ markerId: edits.artwork.id }, { markerId: 'mrk_nowhere' }];
    await post(`/collections/${created.body.id}/items`, { items });
    const path = `/collections/${created.body.id}/items`;
    expectError(await post(path, { items: items.toReversed() }), 422, 'idempotency_key_reused');
    expectError(await post(`/collections/${first.body.id}/items`, { items }), 422, 'idempotency_key_reused');
    expect(await countCollections()).toBe(2);
  });

  it('is another write for another route, another app and another person', async () => {
    const first = await createCollection();
    expect(isReplay(await post('/edits', edits.buildUpdate({ year: 2001 })))).toBe(false);
    const stranger = await edits.issueAccessToken(await createAccount(edits.server));
    const { app } = await registerApp(edits.server);
    const otherApp = (await issueTokens(edits.server, { app, account: person })).access_token;
    for (const other of [stranger, otherApp]) {
      const response = await createCollection({ name: 'Doors' }, { token: other });
      expect({ status: response.status, isReplay: isReplay(response) }).toEqual({ status: 201, isReplay: false });
      expect(response.body.id).not.toBe(first.body.id);
    }
  });

  it('does not use the key if it is rejected', async () => {
    const path = (id: string): string => `/collections/${id}/items`;
    const { id } = (await createCollection()).body as { id: string };
    const items = [{ markerId: (await createMarker(edits.server, { placeType: 'gallery' })).id }];
    expectError(await post(path(id), { items }), 422, 'not_an_artwork');
    expectError(await post(path('col_nowhere'), { items }), 404, 'not_found');
    expect(isReplay(await post(path(id), { items: [{ markerId: edits.artwork.id }] }))).toBe(false);
    expectError(await post('/edits', edits.buildUpdate({})), 422, 'no_changes');
    expectError(await post('/edits', edits.buildUpdate({ year: 'x' })), 400, 'invalid_request');
    expect((await post('/edits', edits.buildUpdate({ year: 2001 }))).status).toBe(201);
  });

  it('repeats only what the scopes of the present token allow', async () => {
    const collection = await createCollection();
    const edit = await post('/edits', edits.buildUpdate({ year: 2001 }));
    expect([Object.keys(collection.body).length, edit.body.author.id]).toEqual([9, person.id]);
    const narrow = await createCollection({ name: 'Doors' }, { token: writeOnly });
    const { id, name, description, visibility, version } = collection.body;
    expectReplay(narrow, { ...collection, body: { id, name, description, visibility, version } });
    const narrowEdit = await post('/edits', edits.buildUpdate({ year: 2001 }), { token: writeOnly });
    expectReplay(narrowEdit, {
      ...edit,
      body: { id: edit.body.id, status: 'open', targetId: edits.artwork.id, resultVersion: null },
    });
    const reader = await edits.issueAccessToken(person, ['collections:read', 'edits:read']);
    expect((await createCollection({ name: 'Doors' }, { token: reader })).status).toBe(403);
    expect((await createCollection({ name: 'Doors' }, { token: 'stale' })).status).toBe(401);
  });

  it('is rejected for a person who is blocked since, also with another body', async () => {
    const { id } = (await createCollection()).body as { id: string };
    const items = [{ markerId: edits.artwork.id }];
    await post(`/collections/${id}/items`, { items });
    await post('/edits', edits.buildUpdate({ year: 2001 }));
    await edits.server
      .get(TransactionService)
      .run((tx) => tx.update(Account, { id: person.id }, { blockedAt: new Date() }));
    for (const [path, body] of [
      ['/collections', { name: 'Doors' }],
      ['/collections', { name: 'Gates' }],
      [`/collections/${id}/items`, { items }],
      ['/edits', edits.buildUpdate({ year: 2001 })],
    ] as const)
      expectError(await post(path, body), 403, 'not_allowed');
  });

  it.each([
    ['', 400],
    ['x'.repeat(256), 400],
    ['x', 201],
    ['x'.repeat(255), 201],
    ['with "spaces", commas and ÿ', 201],
  ])('%# has a key of 1 to 255 characters', async (value, status) => {
    const response = await createCollection({ name: 'Doors' }, { key: value });
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body.error).toBe('Idempotency-Key must have 1 to 255 characters.');
  });

  it('is repeated for 24 hours, and its row is deleted after that', async () => {
    const first = await createCollection();
    advanceClock(0);
    const refreshed = async (): Promise<string> => edits.issueAccessToken(person);
    advanceClock(DAY_MS - 10 * SECOND_MS);
    expectReplay(await createCollection({ name: 'Doors' }, { token: await refreshed() }), first);
    advanceClock(20 * SECOND_MS);
    const second = await createCollection({ name: 'Gates' }, { token: await refreshed() });
    expect({ status: second.status, isReplay: isReplay(second) }).toEqual({ status: 201, isReplay: false });
    const count = await edits.server.entityManager.count(IdempotentResponse);
    await edits.server.get(RetentionService).deleteExpired(Date.now());
    expect(await edits.server.entityManager.count(IdempotentResponse)).toBeLessThan(count);
    expectReplay(await createCollection({ name: 'Gates' }, { token: await refreshed() }), second);
  });

  it('leaves no readable text in the stored response', async () => {
    await createCollection({ name: 'Zebedee Quill' });
    const rows = JSON.stringify(await edits.server.entityManager.find(IdempotentResponse));
    for (const text of ['Zebedee', key, person.id]) expect(rows).not.toContain(text);
  });

  it('can be sent by scripts of other origins', async () => {
    const headers = { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' };
    const preflight = await edits.server.request('OPTIONS', '/api/collections', { headers });
    expect(preflight.headers.get('access-control-allow-headers')!.split(',')).toContain('Idempotency-Key');
    const { headers: exposed } = await createCollection();
    expect(exposed.get('access-control-expose-headers')).toContain('Idempotency-Replayed');
  });
});
