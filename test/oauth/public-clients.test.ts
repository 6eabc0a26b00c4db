import { afterEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { createAuthorizationRequest, exchangeCode, grantConsent, REDIRECT_URI } from '../support/authorization-flow.js';
import { registerApp, type TestApp } from '../support/factories.js';
import { restoreClock, setClock } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import type { TestResponse } from '../support/test-server.js';
import { basicAuthorization } from '../support/token-endpoint.js';

describe('Public client', () => {
  const fixture = OAuthFixture.use({ app: () => ({ clientType: 'public' }) });
  afterEach(restoreClock);

  const post = (
    endpoint: 'token' | 'revoke',
    body: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<TestResponse> =>
    fixture.server.request('POST', `/api/oauth/${endpoint}`, { body, ...(headers && { headers }) });
  const expectError = ({ status, body }: TestResponse, expected: number, error: string, description?: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: expected, error });
    if (description) expect(body.error_description).toMatch(description);
  };
  const refreshRequest = async (): Promise<Record<string, unknown>> => ({
    grant_type: 'refresh_token',
    refresh_token: (await fixture.issueTokens()).refresh_token,
    client_id: fixture.app.app.id,
  });

  it('has no client secret', () => {
    expect(fixture.app.credentials).toEqual({ client_id: fixture.app.app.id });
    expect(fixture.app.app).toMatchObject({ clientType: 'public', secretDigest: '', pkceRequired: true });
  });

  it('is rejected with a client_secret at both endpoints, and spends nothing', async () => {
    const request = await refreshRequest();
    const secret = { client_secret: 'a secret' };
    const token = { token: request['refresh_token'], client_id: request['client_id'], ...secret };
    expectError(await post('token', { ...request, ...secret }), 401, 'invalid_client', /^client_secret must not/);
    expectError(await post('revoke', token), 401, 'invalid_client', /^client_secret must not/);
    expect((await post('token', request)).status).toBe(200);
  });

  it('can send an empty client_secret, which counts as omitted (RFC 6749 §2.3.1)', async () => {
    const { body } = await post('token', { ...(await refreshRequest()), client_secret: '' });
    const { refresh_token: token } = body as { refresh_token: string };
    const client_id = fixture.app.app.id;
    const Authorization = basicAuthorization({ client_id, client_secret: '' });
    const refreshed = await post('token', { grant_type: 'refresh_token', refresh_token: token }, { Authorization });
    expect(refreshed.status).toBe(200);
    const revocation = { token: refreshed.body.refresh_token as string, client_id, client_secret: '' };
    expect((await post('revoke', revocation)).status).toBe(200);
  });

  it.each(['Basic', 'Basic !', 'Basic Og=='])(
    'is rejected with the header Authorization: %s',
    async (Authorization) => {
      const request = await refreshRequest();
      expectError(await post('token', request, { Authorization }), 401, 'invalid_client', /cannot be read/);
      expect((await post('token', request)).status).toBe(200);
    },
  );

  it('is rejected with a secret in HTTP Basic', async () => {
    const { client_id, ...request } = await refreshRequest();
    const Authorization = basicAuthorization({ client_id: client_id as string, client_secret: 'a secret' });
    expectError(await post('token', request, { Authorization }), 401, 'invalid_client');
    expect((await post('token', { ...request, client_id })).status).toBe(200);
  });

  it('must send an Idempotency-Key of at least 16 characters', async () => {
    const request = await refreshRequest();
    const refresh = (key: string): Promise<TestResponse> => post('token', request, { 'Idempotency-Key': key });
    expectError(await refresh('x'.repeat(15)), 400, 'invalid_request', /^Idempotency-Key must have 16 to 255/);
    const first = await refresh('x'.repeat(16));
    expect(first.status).toBe(200);
    expectError(await refresh('x'.repeat(15)), 400, 'invalid_request');
    expect((await refresh('x'.repeat(16))).body).toEqual(first.body);
  });

  it('is rejected when it is disabled', async () => {
    const request = await refreshRequest();
    await fixture.server.get(AppsService).disable(fixture.app.app.id);
    expectError(await post('token', request), 401, 'invalid_client');
    await fixture.server.get(AppsService).enable(fixture.app.app.id);
    expect((await post('token', request)).status).toBe(200);
  });

  it('cannot replace its secret', async () => {
    await expect(fixture.server.get(AppsService).rotateSecret(fixture.app.app.id)).rejects.toThrow(/public client/);
  });

  it('cannot use the token of another public client', async () => {
    const request = await refreshRequest();
    const other = await registerApp(fixture.server, { clientType: 'public' });
    expectError(await post('token', { ...request, client_id: other.app.id }), 400, 'invalid_grant', /another app/);
    expect((await post('token', request)).status).toBe(200);
  });

  it('must use PKCE, even if it was registered without', async () => {
    const app = await registerApp(fixture.server, { clientType: 'public', pkceRequired: false });
    const { path } = createAuthorizationRequest(app, { code_challenge: undefined, code_challenge_method: undefined });
    expect((await fixture.browser.get(path)).location).toMatch(
      /error=invalid_request&error_description=[^&]*code_challenge/,
    );
  });

  it('exchanges a code with its verifier, and not without', async () => {
    const { code, codeVerifier } = await fixture.obtainCode();
    expectError(await fixture.exchangeCode(code, undefined), 400, 'invalid_request', /code_verifier/);
    const { status, body } = await fixture.exchangeCode(code, codeVerifier);
    expect(status).toBe(200);
    expect(Object.keys(body)).toContain('refresh_token');
  });

  it('revokes its token with its client_id alone', async () => {
    const { refresh_token } = await fixture.issueTokens();
    expect((await fixture.revokeToken(refresh_token)).status).toBe(200);
    expectError(await fixture.refreshTokens(refresh_token), 400, 'invalid_grant', /revoked/);
  });

  describe('that reuses a refresh token', () => {
    const CHAIN_REVOKED = /^refresh_token was already used, so the refresh tokens of this sign-in were revoked\./;
    const CHAIN_KEPT = /^refresh_token was already used\. Use the refresh_token that replaced it/;
    const useTwice = async (secondsBetween: number, description: RegExp): Promise<{ successor: string }> => {
      const { refresh_token } = await fixture.issueTokens();
      const { body } = await fixture.refreshTokens(refresh_token);
      setClock(Date.now() + secondsBetween * 1000);
      expectError(await fixture.refreshTokens(refresh_token), 400, 'invalid_grant', description);
      return { successor: body.refresh_token as string };
    };

    it('loses the chain after 10 s', async () => {
      const { successor } = await useTwice(11, CHAIN_REVOKED);
      expectError(await fixture.refreshTokens(successor), 400, 'invalid_grant', /was revoked/);
    });

    it('loses the chain at once if the successor was used', async () => {
      const { refresh_token } = await fixture.issueTokens();
      const second = (await fixture.refreshTokens(refresh_token)).body.refresh_token as string;
      const third = (await fixture.refreshTokens(second)).body.refresh_token as string;
      expectError(await fixture.refreshTokens(refresh_token), 400, 'invalid_grant', CHAIN_REVOKED);
      expectError(await fixture.refreshTokens(third), 400, 'invalid_grant', /was revoked/);
    });

    it('keeps the chain within 10 s while the successor is unused', async () => {
      const { successor } = await useTwice(9, CHAIN_KEPT);
      expect((await fixture.refreshTokens(successor)).status).toBe(200);
    });
  });

  describe('that the person allowed before', () => {
    const LOOPBACK_URI = 'http://127.0.0.1:4712/callback';
    const PRIVATE_URI = 'org.example.walk:/callback';
    const LOCALHOST_URI = 'http://localhost:5173/callback';
    const register = (clientType: 'public' | 'confidential'): Promise<TestApp> => {
      const redirectUris = [
        REDIRECT_URI,
        LOOPBACK_URI,
        LOCALHOST_URI,
        ...(clientType === 'public' ? [PRIVATE_URI] : []),
      ];
      return registerApp(fixture.server, { clientType, redirectUris });
    };
    const requestAgain = async (app: TestApp, parameters: Record<string, string>): Promise<number> => {
      await grantConsent(fixture.browser, createAuthorizationRequest(app, parameters).path);
      return (await fixture.browser.get(createAuthorizationRequest(app, parameters).path)).status;
    };

    it.each([LOOPBACK_URI, PRIVATE_URI, LOCALHOST_URI])('asks again before it sends a code to %s', async (uri) => {
      expect(await requestAgain(await register('public'), { redirect_uri: uri })).toBe(200);
    });

    it('gets consent_required with prompt=none where it must ask again', async () => {
      const app = await register('public');
      await grantConsent(fixture.browser, createAuthorizationRequest(app).path);
      const { path } = createAuthorizationRequest(app, { redirect_uri: PRIVATE_URI, prompt: 'none' });
      expect((await fixture.browser.get(path)).location).toMatch(
        /^org\.example\.walk:\/callback\?error=consent_required&error_description=The\+person\+is\+asked\+at\+each/,
      );
    });

    it('sends a code to an https URI without asking', async () => {
      expect(await requestAgain(await register('public'), {})).toBe(303);
    });

    it('sends a code to loopback without asking if it is a confidential client', async () => {
      expect(await requestAgain(await register('confidential'), { redirect_uri: LOOPBACK_URI })).toBe(303);
    });

    it('completes the flow with a private-use scheme (RFC 8252 §7.1)', async () => {
      const app = await register('public');
      const { path, codeVerifier } = createAuthorizationRequest(app, { redirect_uri: PRIVATE_URI });
      const { location } = await grantConsent(fixture.browser, path);
      const code = new URL(location!).searchParams.get('code')!;
      const response = await exchangeCode(fixture.server, app, code, codeVerifier, { redirect_uri: PRIVATE_URI });
      expect(response.status).toBe(200);
    });
  });
});

describe('Server app beside public clients', () => {
  const fixture = OAuthFixture.use();

  it.each([undefined, null, '', 'wrong'])('is rejected with the client_secret %j', async (client_secret) => {
    const { refresh_token } = await fixture.issueTokens();
    const { status, body } = await fixture.refreshTokens(refresh_token, { client_secret });
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' });
    expect((await fixture.refreshTokens(refresh_token)).status).toBe(200);
  });

  it('cannot register a private-use scheme', async () => {
    const redirectUris = ['org.example.walk:/callback'];
    await expect(registerApp(fixture.server, { redirectUris })).rejects.toThrow('redirectUris: redirectUriPrivateUse');
  });

  it('is announced beside public clients in the metadata', async () => {
    const { body } = await fixture.server.request('GET', '/.well-known/openid-configuration');
    const methods = ['client_secret_basic', 'client_secret_post', 'none'];
    expect(body).toMatchObject({
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
    });
  });
});
