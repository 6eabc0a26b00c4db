import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import {
  grantConsent,
  createAuthorizationRequest,
  exchangeCode,
  parseRedirectParams,
} from '../support/authorization-flow.js';
import { registerApp } from '../support/factories.js';
import { type TestResponse } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

describe('Authorization code', () => {
  const fixture = OAuthFixture.use({ appPerFile: true });
  let code: string;
  let verifier: string;

  beforeEach(() => obtainCode());
  afterEach(restoreClock);

  const obtainCode = async (parameters: Record<string, string | undefined> = {}): Promise<void> => {
    const request = createAuthorizationRequest(fixture.app, { prompt: 'consent', ...parameters });
    verifier = request.codeVerifier;
    code = parseRedirectParams(await grantConsent(fixture.browser, request.path)).code!;
  };
  const exchange = (overrides: Record<string, unknown> = {}): Promise<TestResponse> =>
    fixture.exchangeCode(code, verifier, overrides);
  const expectError = ({ status, body }: TestResponse, error: string, description: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error });
    expect(body.error_description).toMatch(description);
    expect(body.error_description).not.toContain(code);
  };

  it('is exchanged for tokens with the granted scopes', async () => {
    const { status, body, headers } = await exchange();
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
    expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(200);
  });

  it('has 256 random bits and a prefix for secret scanners, and is stored as a digest', async () => {
    expect(code).toMatch(/^sam_code_[\w-]{49}$/);
    const rows = await fixture.server.entityManager.findBy(AuthorizationCode, { accountId: fixture.account.id });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(rows)).not.toContain(verifier);
  });

  it('revokes the grant when the code is replayed, and records it in the audit', async () => {
    const { body } = await exchange();
    expectError(await exchange(), 'invalid_grant', /already used/);
    expectError(await fixture.refreshTokens(body.refresh_token as string), 'invalid_grant', /revoked/);
    const events = await fixture.server.entityManager.findBy(AuditEvent, { accountId: fixture.account.id });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['authorization_code.reused', 'authorization.revoked']),
    );
  });

  it('rejects a replay without the verifier, and keeps the grant', async () => {
    const { body } = await exchange();
    expectError(await exchange({ code_verifier: 'a'.repeat(43) }), 'invalid_grant', /code_verifier/);
    expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(200);
  });

  it('revokes the successors of the tokens when the code is replayed later', async () => {
    const first = await exchange();
    const second = await fixture.refreshTokens(first.body.refresh_token as string);
    advanceClock(61 * SECOND_MS);
    expectError(await exchange(), 'invalid_grant', /already used/);
    expectError(await fixture.refreshTokens(second.body.refresh_token as string), 'invalid_grant', /revoked/);
  });

  it('expires after 60 seconds', async () => {
    advanceClock(50 * SECOND_MS);
    expect((await exchange()).status).toBe(200);
    await obtainCode();
    advanceClock(61 * SECOND_MS);
    expectError(await exchange(), 'invalid_grant', /expired/);
  });

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['another redirect_uri', { redirect_uri: 'https://app.example.org/other' }, 'invalid_grant', /redirect_uri/],
    ['a similar redirect_uri', { redirect_uri: 'https://app.example.org/callback/' }, 'invalid_grant', /redirect_uri/],
    ['another code_verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant', /code_verifier/],
    ['a short code_verifier', { code_verifier: 'a'.repeat(42) }, 'invalid_request', /code_verifier must have 43/],
    ['a long code_verifier', { code_verifier: 'a'.repeat(129) }, 'invalid_request', /code_verifier must have 43/],
    ['a code_verifier in other letters', { code_verifier: 'ü'.repeat(50) }, 'invalid_request', /must have 43/],
    ['no code_verifier', { code_verifier: undefined }, 'invalid_request', /code_verifier is missing/],
    ['no code', { code: undefined }, 'invalid_request', /code is missing/],
    ['an unknown code', { code: 'sam_code_nonsense' }, 'invalid_grant', /code is unknown/],
    ['a refresh token as code', { code: 'sam_refresh_' }, 'invalid_grant', /code is unknown/],
    ['wrong app credentials', { client_secret: 'wrong' }, 'invalid_client', /client_secret/],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type', /grant_type/],
  ])('rejects a request with %s, and keeps the code valid', async (_, overrides, error, description) => {
    const { status, body } = await exchange(overrides);
    expect({ status, error: body.error }).toEqual({ status: error === 'invalid_client' ? 401 : 400, error });
    expect(body.error_description).toMatch(description);
    expect((await exchange()).status).toBe(200);
  });

  it('needs no redirect_uri, because the verifier binds the code to its request (OAuth 2.1)', async () => {
    expect((await exchange({ redirect_uri: undefined })).status).toBe(200);
  });

  it('rejects a code of another app, and keeps it valid', async () => {
    const other = await registerApp(fixture.server);
    expectError(await exchangeCode(fixture.server, other, code, verifier), 'invalid_grant', /another app/);
    expect((await exchange()).status).toBe(200);
    expectError(await exchangeCode(fixture.server, other, code, verifier), 'invalid_grant', /another app/);
  });

  it('rejects a code with the verifier of another request, and keeps both valid', async () => {
    const first = { code, verifier };
    await obtainCode();
    expectError(await fixture.exchangeCode(first.code, verifier), 'invalid_grant', /code_verifier/);
    expectError(await fixture.exchangeCode(code, first.verifier), 'invalid_grant', /code_verifier/);
    expect((await fixture.exchangeCode(first.code, first.verifier)).status).toBe(200);
    expect((await exchange()).status).toBe(200);
  });

  it('rejects a verifier for a request without PKCE (RFC 9700 §4.8.2)', async () => {
    const without = await registerApp(fixture.server, { pkceRequired: false });
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    const reply = parseRedirectParams(
      await grantConsent(fixture.browser, createAuthorizationRequest(without, none).path),
    );
    expectError(await exchangeCode(fixture.server, without, reply.code, verifier), 'invalid_grant', /code_verifier/);
    const noUri = { redirect_uri: undefined };
    const missing = await exchangeCode(fixture.server, without, reply.code, undefined, noUri);
    expectError(missing, 'invalid_request', /redirect_uri is missing/);
    const downgraded = await exchangeCode(fixture.server, without, reply.code, verifier, noUri);
    expectError(downgraded, 'invalid_grant', /code_verifier/);
    expect((await exchangeCode(fixture.server, without, reply.code, undefined)).status).toBe(200);
  });

  it('rejects a request without the verifier when a challenge was sent', async () => {
    const without = await registerApp(fixture.server, { pkceRequired: false });
    const reply = parseRedirectParams(await grantConsent(fixture.browser, createAuthorizationRequest(without).path));
    expectError(await exchangeCode(fixture.server, without, reply.code, undefined), 'invalid_grant', /code_verifier/);
  });

  it('rejects the code while the account is blocked, and keeps it valid', async () => {
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Spam.');
    expectError(await exchange(), 'invalid_grant', /blocked/);
    await fixture.server.get(AccountsService).unblock(fixture.account.username);
    expect((await exchange()).status).toBe(200);
  });

  it('rejects the code of a disabled app with invalid_client', async () => {
    await fixture.server.get(AppsService).disable(fixture.app.app.id);
    expect((await exchange()).body.error).toBe('invalid_client');
    await fixture.server.get(AppsService).enable(fixture.app.app.id);
  });

  it('rejects the code after the account withdrew the consent', async () => {
    const { location } = await fixture.browser.submitForm(await fixture.browser.get('/account/apps'), '/account/apps');
    expect(location).toContain('done=');
    expectError(await exchange(), 'invalid_grant', /withdrew the consent/);
  });

  it('accepts one of 20 concurrent exchanges, and revokes the grant because of the others', async () => {
    for (let round = 0; round < 5; round++) {
      await obtainCode();
      const responses = await Promise.all(Array.from({ length: 20 }, () => exchange()));
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expectError(response, 'invalid_grant', /already used/);
      }
      expectError(await fixture.refreshTokens(winners[0]!.body.refresh_token as string), 'invalid_grant', /revoked/);
    }
    expect(await fixture.server.entityManager.countBy(Authorization, { accountId: fixture.account.id })).toBe(5);
  });
});
