import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account, type Role } from '../../src/identity/accounts/account.entity.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

const HOUR_SECONDS = 3600;

describe('The quota of suggestions', () => {
  let edits: EditsFixture;
  let author: Account;
  let token: string;
  let count = 0;

  beforeAll(async () => {
    const settings = { RATE_LIMITS: 'on', API_WRITE_LIMIT: '10000', API_READ_LIMIT: '10000' };
    edits = await EditsFixture.start({ settings });
  });
  beforeEach(async () => {
    await edits.createArtwork();
    await signUp('member');
  });
  afterEach(restoreClock);
  afterAll(() => edits.server.stop());

  async function signUp(role: Role): Promise<void> {
    author = await createAccount(edits.server, { role });
    token = await edits.issueAccessToken(author);
  }

  const suggest = (by = token, rest: object = {}, headers: Record<string, string> = {}): Promise<TestResponse> => {
    const body = { ...edits.buildUpdate({ title: `Echo ${++count}` }), ...rest };
    return edits.server.request('POST', '/api/edits', { token: by, body, headers });
  };
  const suggestMany = async (number: number): Promise<number[]> =>
    (await Promise.all(Array.from({ length: number }, () => suggest()))).map(({ status }) => status);
  const readQuota = async (): Promise<ResponseBody> =>
    (
      await edits.post('/evaluate-permissions', token, {
        items: [{ targetType: 'artwork', type: 'create' }],
      })
    ).body;
  /** Closes the edits that the author suggested, as if reviewers had decided. */
  const decideAll = (status: 'accepted' | 'rejected' | 'withdrawn', number = 1000): Promise<unknown> =>
    edits.server.get(TransactionService).run(async (tx) => {
      const open = await tx.find(Edit, { where: { authorId: author.id, status: 'open' }, take: number });
      for (const { id } of open) await tx.update(Edit, { id }, { status });
    });

  it('is 30 in an hour for a new member, also for requests at the same time', async () => {
    const statuses = await suggestMany(40);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const refused = await suggest();
    expectApiError(refused, 429, 'quota_exceeded');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(HOUR_SECONDS - 120);
    expect(seconds).toBeLessThanOrEqual(HOUR_SECONDS);
    expect(refused.body.error).toContain(`30 edits within an hour, which is the maximum. Try again in ${seconds} s`);
    advanceClock(seconds * SECOND_MS);
    token = await edits.issueAccessToken(author);
    expect((await suggest()).status).toBe(201);
  });

  it('is evaluated before a button is shown', async () => {
    expect((await readQuota()).quota).toEqual({ openEdits: 0, openEditsMax: 50, hourlyEdits: 0, hourlyEditsMax: 30 });
    await suggestMany(30);
    const { quota, data } = await readQuota();
    expect(quota).toEqual({ openEdits: 30, openEditsMax: 50, hourlyEdits: 30, hourlyEditsMax: 30 });
    expect(data[0].actions.suggestCreate).toMatchObject({ allowed: false, person: false, reason: 'quota_exceeded' });
  });

  it('counts withdrawn and rejected suggestions, and those that replace another', async () => {
    await suggestMany(28);
    await decideAll('withdrawn', 14);
    await decideAll('rejected');
    const { body } = await suggest();
    expect((await suggest(token, { supersedes: body.id })).status).toBe(201);
    expectApiError(await suggest(token, { supersedes: body.id }), 429, 'quota_exceeded');
    expect((await readQuota()).quota).toMatchObject({ openEdits: 1, hourlyEdits: 30 });
  });

  it('counts all apps of the person together, and no other person', async () => {
    await suggestMany(30);
    const { app } = await registerApp(edits.server);
    const { access_token } = await issueTokens(edits.server, { app, account: author });
    expectApiError(await suggest(access_token), 429, 'quota_exceeded');
    await signUp('member');
    expect((await suggest()).status).toBe(201);
  });

  it('does not count a request that is refused or repeated', async () => {
    await suggestMany(29);
    expect((await suggest(token, { changes: { title: '' } })).status).toBe(400);
    expect((await suggest(token, { changes: { title: 'Echo Wall' } })).status).toBe(422);
    const key = { 'Idempotency-Key': 'one' };
    const body = edits.buildUpdate({ title: 'The last one' });
    const send = (): Promise<TestResponse> => edits.server.request('POST', '/api/edits', { token, body, headers: key });
    expect((await send()).status).toBe(201);
    expectApiError(await suggest(), 429, 'quota_exceeded');
    expect((await send()).status).toBe(201);
    expect((await readQuota()).quota).toMatchObject({ hourlyEdits: 30 });
  });

  it('grows to 120 with the twentieth accepted suggestion', async () => {
    await suggestMany(30);
    await decideAll('accepted', 19);
    expectApiError(await suggest(), 429, 'quota_exceeded');
    await decideAll('accepted', 1);
    expect((await readQuota()).quota).toMatchObject({ hourlyEdits: 30, hourlyEditsMax: 120 });
    expect((await suggest()).status).toBe(201);
  });

  it.each(['trusted', 'moderator'] as const)('is 600 for a %s person', async (role) => {
    await signUp(role);
    expect(new Set(await suggestMany(31))).toEqual(new Set([201]));
    expect((await readQuota()).quota).toMatchObject({ hourlyEdits: 31, hourlyEditsMax: 600 });
  });

  it('is named after a block and before the limit of open edits', async () => {
    await suggestMany(30);
    await edits.updateAccount(author.id, { blockedAt: new Date(), blockedReason: 'Spam.' });
    expectApiError(await suggest(), 403, 'not_allowed', 'account_blocked');
  });

  it('does not exist with RATE_LIMITS=off, where open edits stay limited', async () => {
    const free = await EditsFixture.start();
    await free.createArtwork();
    const send = (title: string): Promise<TestResponse> => free.post('', free.authorToken, free.buildUpdate({ title }));
    for (let number = 0; number < 50; number++) expect((await send(`Echo ${number}`)).status).toBe(201);
    expectApiError(await send('One more'), 422, 'limit_reached');
    await free.server.stop();
  });
});
