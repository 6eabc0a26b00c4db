import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { AuthorizationCode } from '../../src/oauth/authorize/authorization-code.entity.js';
import { Authorization } from '../../src/oauth/authorization.entity.js';
import { allow, ask, exchange, replyOf, signedIn } from '../support/authorize.js';
import { newAccount, newApp, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';
import type { Visitor } from '../support/visitor.js';

describe('An authorization code', () => {
  let service: Service;
  let app: TestApp;
  let person: Account;
  let visitor: Visitor;
  let code: string;
  let verifier: string;

  beforeAll(async () => {
    service = await Service.start();
    app = await newApp(service);
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    person = await newAccount(service);
    visitor = await signedIn(service, person);
    await getCode();
  });
  afterEach(backToNow);

  const getCode = async (given: Record<string, string | undefined> = {}): Promise<void> => {
    const asked = ask(app, { prompt: 'consent', ...given });
    verifier = asked.verifier;
    code = replyOf(await allow(visitor, asked.path)).code!;
  };
  const redeem = (more: Record<string, unknown> = {}): Promise<Answer> => exchange(service, app, code, verifier, more);
  const refresh = (refresh_token: string): Promise<Answer> =>
    service.call('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...app.credentials },
    });
  const expectRefused = ({ status, body }: Answer, error: string, description: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error });
    expect(body.error_description).toMatch(description);
    expect(body.error_description).not.toContain(code);
  };

  it('is exchanged for tokens of what was allowed', async () => {
    const { status, body, headers } = await redeem();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^sam_refresh_/),
      scope: 'openid profile markers:read edits:write',
      id_token: expect.any(String),
    });
    expect((await refresh(body.refresh_token as string)).status).toBe(200);
  });

  it('is 256 bits that nobody can guess behind a prefix that secret scanners find, and only its digest is stored', async () => {
    expect(code).toMatch(/^sam_code_[\w-]{49}$/);
    const rows = await service.database.findBy(AuthorizationCode, { accountId: person.id });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(rows)).not.toContain(verifier);
  });

  it('works once: again it is invalid_grant, the tokens that came from it end, and the audit knows', async () => {
    const { body } = await redeem();
    expectRefused(await redeem(), 'invalid_grant', /already used/);
    expectRefused(await refresh(body.refresh_token as string), 'invalid_grant', /revoked/);
    const events = await service.database.findBy(AuditEvent, { accountId: person.id });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['authorization_code.reused', 'authorization.revoked']),
    );
  });

  it('used again by somebody without the verifier is refused, and ends nothing: whoever found it proves nothing', async () => {
    const { body } = await redeem();
    expectRefused(await redeem({ code_verifier: 'a'.repeat(43) }), 'invalid_grant', /code_verifier/);
    expect((await refresh(body.refresh_token as string)).status).toBe(200);
  });

  it('used again later ends the successors of the tokens that came from it', async () => {
    const first = await redeem();
    const second = await refresh(first.body.refresh_token as string);
    later(61 * SECOND);
    expectRefused(await redeem(), 'invalid_grant', /already used/);
    expectRefused(await refresh(second.body.refresh_token as string), 'invalid_grant', /revoked/);
  });

  it('lives for 60 seconds', async () => {
    later(50 * SECOND);
    expect((await redeem()).status).toBe(200);
    await getCode();
    later(61 * SECOND);
    expectRefused(await redeem(), 'invalid_grant', /expired/);
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['another redirect_uri', { redirect_uri: 'https://app.example.org/other' }, 'invalid_grant', /redirect_uri/],
    [
      'a near miss of the redirect_uri',
      { redirect_uri: 'https://app.example.org/callback/' },
      'invalid_grant',
      /redirect_uri/,
    ],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request', /redirect_uri is missing/],
    ['another code_verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant', /code_verifier/],
    ['no code_verifier', { code_verifier: undefined }, 'invalid_request', /code_verifier is missing/],
    ['no code', { code: undefined }, 'invalid_request', /code is missing/],
    ['a code that is not ours', { code: 'sam_code_nonsense' }, 'invalid_grant', /no such code/],
    ['a refresh token as code', { code: 'sam_refresh_' }, 'invalid_grant', /no such code/],
    ['wrong app credentials', { client_secret: 'wrong' }, 'invalid_client', /client_secret/],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type', /grant_type/],
  ])('with %s is refused and not spent', async (_, more, error, description) => {
    const { status, body } = await redeem(more);
    expect({ status, error: body.error }).toEqual({ status: error === 'invalid_client' ? 401 : 400, error });
    expect(body.error_description).toMatch(description);
    expect((await redeem()).status).toBe(200);
  });

  it('of another app is invalid_grant, and stays good for its own', async () => {
    const other = await newApp(service);
    expectRefused(await exchange(service, other, code, verifier), 'invalid_grant', /another app/);
    expect((await redeem()).status).toBe(200);
    expectRefused(await exchange(service, other, code, verifier), 'invalid_grant', /another app/);
  });

  it('mixed up with the verifier of another request is refused, and each works with its own', async () => {
    const first = { code, verifier };
    await getCode();
    expectRefused(await exchange(service, app, first.code, verifier), 'invalid_grant', /code_verifier/);
    expectRefused(await exchange(service, app, code, first.verifier), 'invalid_grant', /code_verifier/);
    expect((await exchange(service, app, first.code, first.verifier)).status).toBe(200);
    expect((await redeem()).status).toBe(200);
  });

  it('of an app without PKCE is refused with a verifier, which proves nothing (RFC 9700 §4.8.2)', async () => {
    const without = await newApp(service, { pkceRequired: false });
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    const reply = replyOf(await allow(visitor, ask(without, none).path));
    expectRefused(await exchange(service, without, reply.code, verifier), 'invalid_grant', /code_verifier/);
    expect((await exchange(service, without, reply.code, undefined)).status).toBe(200);
  });

  it('of an app that need not, but did send a challenge, is refused without its verifier', async () => {
    const without = await newApp(service, { pkceRequired: false });
    const reply = replyOf(await allow(visitor, ask(without).path));
    expectRefused(await exchange(service, without, reply.code, undefined), 'invalid_grant', /code_verifier/);
  });

  it('of a person who was blocked after they allowed it is invalid_grant, and not spent', async () => {
    await service.get(AccountsService).block(person.username, 'Spam.');
    expectRefused(await redeem(), 'invalid_grant', /blocked/);
    await service.get(AccountsService).unblock(person.username);
    expect((await redeem()).status).toBe(200);
  });

  it('of an app that was disabled meanwhile is invalid_client', async () => {
    await service.get(AppsService).disable(app.app.id);
    expect((await redeem()).body.error).toBe('invalid_client');
    await service.get(AppsService).enable(app.app.id);
  });

  it('of which the person took their yes back is invalid_grant', async () => {
    const { location } = await visitor.submit(await visitor.get('/account/apps'), '/account/apps');
    expect(location).toContain('removed');
    expectRefused(await redeem(), 'invalid_grant', /taken back/);
  });

  it('presented 20 times at once gives exactly one 200, and the tokens end, for it was replayed', async () => {
    for (let round = 0; round < 5; round++) {
      await getCode();
      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem()));
      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expectRefused(answer, 'invalid_grant', /already used/);
      }
      expectRefused(await refresh(won[0]!.body.refresh_token as string), 'invalid_grant', /revoked/);
    }
    expect(await service.database.countBy(Authorization, { accountId: person.id })).toBe(5);
  });
});
