import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { SealedBox } from '../../src/crypto/sealed-box.js';
import { SealedAnswer } from '../../src/oauth/sealed-answer.entity.js';
import { RefreshToken } from '../../src/oauth/refresh-token.entity.js';
import { CleanUp } from '../../src/operations/clean-up.service.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';

const KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324';

describe('A refresh with an Idempotency-Key', () => {
  let service: Service;
  let account: Account;
  let client: TestApp;
  let token: string;

  beforeAll(async () => {
    service = await Service.start({ REFRESH_TOKEN_REUSE: 'revoke-grant' });
    client = await newApp(service);
  });
  beforeEach(async () => {
    account = await newAccount(service);
    token = (await newTokens(service, { app: client.app, account })).refresh_token;
  });
  afterEach(backToNow);
  afterAll(() => service.stop());

  const refresh = (refresh_token: string, key?: string, more: object = {}): Promise<Answer> =>
    service.call('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...client.credentials, ...more },
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });
  const expectUsed = ({ status, body }: Answer): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(body.error_description).toMatch(/already used/);
  };

  it('gets the same answer again by the same key with the same token, and nothing else happens', async () => {
    const first = await refresh(token, KEY);
    const again = await refresh(token, KEY);
    expect(first.status).toBe(200);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(await service.database.countBy(RefreshToken, { authorization: { accountId: account.id } })).toBe(2);
    expect(await service.database.countBy(AuditEvent, { accountId: account.id })).toBe(0);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  it('gets it as well where both come in the same moment', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(token, KEY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it('is refused where the successor was used: the answer has arrived', async () => {
    const { body } = await refresh(token, KEY);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expectUsed(await refresh(token, KEY));
  });

  it.each([
    ['with another key', 'another', {}],
    ['without one', undefined, {}],
    ['for another scope', KEY, { scope: 'markers:read' }],
  ])('is refused %s, as it is to the letter of the spec', async (_, key, more) => {
    await refresh(token, KEY);
    expectUsed(await refresh(token, key, more));
  });

  it('is refused once a minute has passed', async () => {
    await refresh(token, KEY);
    later(60 * SECOND);
    expectUsed(await refresh(token, KEY));
  });

  it('is refused where the first refresh had no key', async () => {
    await refresh(token);
    expectUsed(await refresh(token, KEY));
  });

  it('is refused where the chain was revoked or the person blocked meanwhile', async () => {
    const { body } = await refresh(token, KEY);
    await service.get(AccountsService).block(account.username, 'A test.');
    expect((await refresh(token, KEY)).body.error_description).toMatch(/blocked/);
    expect(await service.database.countBy(AuditEvent, { accountId: account.id, type: 'refresh_token.reused' })).toBe(0);
    await service.get(AccountsService).unblock(account.username);
    expect(
      (await service.call('POST', '/api/oauth/revoke', { body: { token: body.refresh_token, ...client.credentials } }))
        .status,
    ).toBe(200);
    expect((await refresh(token, KEY)).body.error_description).toMatch(/revoked/);
  });

  it('is refused to another app, whatever key it has', async () => {
    await refresh(token, KEY);
    const { credentials } = await newApp(service);
    expect((await refresh(token, KEY, credentials)).body.error_description).toMatch(/another app/);
  });

  it.each([
    ['', 'nothing'],
    ['two words', 'spaces'],
    ['k'.repeat(256), '256 characters'],
  ])('is invalid_request with a key of %#, and spends nothing', async (key) => {
    expect((await refresh(token, key)).body.error).toBe('invalid_request');
    expect((await refresh(token)).status).toBe(200);
  });

  it('keeps nothing that could be read from the database alone', async () => {
    const { body } = await refresh(token, KEY);
    const rows = await service.database.find(SealedAnswer);
    const { answer } = rows.find((row) => new SealedBox([token], 'refresh-answer').open(row.answer) !== undefined)!;
    expect(JSON.stringify(rows)).not.toContain(body.refresh_token.slice(-20));
    expect(new SealedBox([KEY], 'refresh-answer').open(answer)).toBeUndefined();
    expect(new SealedBox(service.settings.MASTER_SECRET, 'refresh-answer').open(answer)).toBeUndefined();
  });

  it('leaves no answer behind when the clean-up has come', async () => {
    await refresh(token, KEY);
    later(61 * SECOND);
    await service.get(CleanUp).run();
    expect(await service.database.count(SealedAnswer)).toBe(0);
  });
});
