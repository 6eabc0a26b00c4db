import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import {
  grantConsent,
  createAuthorizationRequest,
  exchangeCode,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import type { BrowserClient } from '../support/browser-client.js';

describe('An authorization code', () => {
  let server: TestServer;
  let app: TestApp;
  let person: Account;
  let browser: BrowserClient;
  let code: string;
  let verifier: string;

  beforeAll(async () => {
    server = await TestServer.start();
    app = await registerApp(server);
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    person = await createAccount(server);
    browser = await openSignedInBrowser(server, person);
    await getCode();
  });
  afterEach(restoreClock);

  const getCode = async (given: Record<string, string | undefined> = {}): Promise<void> => {
    const asked = createAuthorizationRequest(app, { prompt: 'consent', ...given });
    verifier = asked.codeVerifier;
    code = parseRedirectParams(await grantConsent(browser, asked.path)).code!;
  };
  const redeem = (more: Record<string, unknown> = {}): Promise<TestResponse> =>
    exchangeCode(server, app, code, verifier, more);
  const refresh = (refresh_token: string): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...app.credentials },
    });
  const expectRefused = ({ status, body }: TestResponse, error: string, description: RegExp): void => {
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
    const rows = await server.entityManager.findBy(AuthorizationCode, { accountId: person.id });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(rows)).not.toContain(verifier);
  });

  it('works once: again it is invalid_grant, the tokens that came from it end, and the audit knows', async () => {
    const { body } = await redeem();
    expectRefused(await redeem(), 'invalid_grant', /already used/);
    expectRefused(await refresh(body.refresh_token as string), 'invalid_grant', /revoked/);
    const events = await server.entityManager.findBy(AuditEvent, { accountId: person.id });
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
    advanceClock(61 * SECOND_MS);
    expectRefused(await redeem(), 'invalid_grant', /already used/);
    expectRefused(await refresh(second.body.refresh_token as string), 'invalid_grant', /revoked/);
  });

  it('lives for 60 seconds', async () => {
    advanceClock(50 * SECOND_MS);
    expect((await redeem()).status).toBe(200);
    await getCode();
    advanceClock(61 * SECOND_MS);
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
    const other = await registerApp(server);
    expectRefused(await exchangeCode(server, other, code, verifier), 'invalid_grant', /another app/);
    expect((await redeem()).status).toBe(200);
    expectRefused(await exchangeCode(server, other, code, verifier), 'invalid_grant', /another app/);
  });

  it('mixed up with the verifier of another request is refused, and each works with its own', async () => {
    const first = { code, verifier };
    await getCode();
    expectRefused(await exchangeCode(server, app, first.code, verifier), 'invalid_grant', /code_verifier/);
    expectRefused(await exchangeCode(server, app, code, first.verifier), 'invalid_grant', /code_verifier/);
    expect((await exchangeCode(server, app, first.code, first.verifier)).status).toBe(200);
    expect((await redeem()).status).toBe(200);
  });

  it('of an app without PKCE is refused with a verifier, which proves nothing (RFC 9700 §4.8.2)', async () => {
    const without = await registerApp(server, { pkceRequired: false });
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    const reply = parseRedirectParams(await grantConsent(browser, createAuthorizationRequest(without, none).path));
    expectRefused(await exchangeCode(server, without, reply.code, verifier), 'invalid_grant', /code_verifier/);
    expect((await exchangeCode(server, without, reply.code, undefined)).status).toBe(200);
  });

  it('of an app that need not, but did send a challenge, is refused without its verifier', async () => {
    const without = await registerApp(server, { pkceRequired: false });
    const reply = parseRedirectParams(await grantConsent(browser, createAuthorizationRequest(without).path));
    expectRefused(await exchangeCode(server, without, reply.code, undefined), 'invalid_grant', /code_verifier/);
  });

  it('of a person who was blocked after they allowed it is invalid_grant, and not spent', async () => {
    await server.get(AccountsService).block(person.username, 'Spam.');
    expectRefused(await redeem(), 'invalid_grant', /blocked/);
    await server.get(AccountsService).unblock(person.username);
    expect((await redeem()).status).toBe(200);
  });

  it('of an app that was disabled meanwhile is invalid_client', async () => {
    await server.get(AppsService).disable(app.app.id);
    expect((await redeem()).body.error).toBe('invalid_client');
    await server.get(AppsService).enable(app.app.id);
  });

  it('of which the person took their yes back is invalid_grant', async () => {
    const { location } = await browser.submitForm(await browser.get('/account/apps'), '/account/apps');
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
    expect(await server.entityManager.countBy(Authorization, { accountId: person.id })).toBe(5);
  });
});
