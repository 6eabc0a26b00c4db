import { OAuth2Client as BadgatewayClient } from '@badgateway/oauth2-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as arctic from 'arctic';
import ClientOAuth2 from 'client-oauth2';
import { createHash, randomBytes } from 'node:crypto';
import { OAuth2Strategy } from 'remix-auth-oauth2';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { createMarker, registerApp, type TestApp } from '../support/factories.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { TestServer } from '../support/test-server.js';

const SCOPES = ['openid', 'markers:read'];

describe('The tokens of a small library', () => {
  let server: TestServer;
  let markerId: string;

  beforeAll(async () => {
    server = await startIssuer();
    markerId = (await createMarker(server)).id;
  });
  afterAll(() => server.stop());

  const endpoint = (name: string): string => `${server.url}/api/oauth/${name}`;

  /** Signs a new person in, who allows an app. @returns the redirect to the app */
  const allow = async (url: URL | string): Promise<URL> => {
    const person = await ResourceOwner.create(server);
    return person.signInAndGrantConsent(url);
  };
  const expectAccess = async (token: string): Promise<void> => {
    const { status, body } = await server.request('GET', '/api/markers', { token });
    expect({ status, id: body.data[0]?.id }).toEqual({ status: 200, id: markerId });
  };
  const isRefreshed = async (app: TestApp, token: string): Promise<boolean> => {
    const body = { grant_type: 'refresh_token', refresh_token: token, ...app.credentials };
    return (await server.request('POST', '/api/oauth/token', { body })).status === 200;
  };

  it.each(['confidential', 'public'] as const)('work with arctic and a %s client', async (clientType) => {
    const app = await registerApp(server, { clientType });
    const { client_id, client_secret = null } = app.credentials as { client_id: string; client_secret?: string };
    const client = new arctic.OAuth2Client(client_id, client_secret, REDIRECT_URI);
    const [state, verifier] = [arctic.generateState(), arctic.generateCodeVerifier()];
    const { S256 } = arctic.CodeChallengeMethod;
    const url = client.createAuthorizationURLWithPKCE(endpoint('authorize'), state, S256, verifier, SCOPES);
    const callback = await allow(url);
    expect(callback.searchParams.get('state')).toBe(state);
    const code = callback.searchParams.get('code')!;
    const tokens = await client.validateAuthorizationCode(endpoint('token'), code, verifier);
    await expectAccess(tokens.accessToken());
    expect(arctic.decodeIdToken(tokens.idToken())).toMatchObject({ aud: client_id });
    const refreshed = await client.refreshAccessToken(endpoint('token'), tokens.refreshToken(), []);
    await client.revokeToken(endpoint('revoke'), refreshed.refreshToken());
    await expect(client.refreshAccessToken(endpoint('token'), refreshed.refreshToken(), [])).rejects.toMatchObject({
      code: 'invalid_grant',
    });
  });

  it.each(['confidential', 'public'] as const)('work with @badgateway/oauth2-client, %s', async (clientType) => {
    const { credentials } = await registerApp(server, { clientType });
    const client = new BadgatewayClient({
      server: server.url,
      clientId: credentials.client_id,
      ...(clientType === 'confidential' && { clientSecret: credentials.client_secret }),
      discoveryEndpoint: '/.well-known/oauth-authorization-server',
    });
    const request = {
      redirectUri: REDIRECT_URI,
      state: 'a state',
      codeVerifier: randomBytes(32).toString('base64url'),
    };
    const callback = await allow(await client.authorizationCode.getAuthorizeUri({ ...request, scope: SCOPES }));
    const tokens = await client.authorizationCode.getTokenFromCodeRedirect(callback.href, request);
    await expectAccess(tokens.accessToken);
    const refreshed = await client.refreshToken(tokens);
    await client.revoke(refreshed, 'refresh_token');
    await expect(client.refreshToken(refreshed)).rejects.toMatchObject({ oauth2Code: 'invalid_grant' });
  });

  it('work with client-oauth2, and PKCE by hand', async () => {
    const { credentials } = await registerApp(server);
    const client = new ClientOAuth2({
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      accessTokenUri: endpoint('token'),
      authorizationUri: endpoint('authorize'),
      redirectUri: REDIRECT_URI,
      scopes: SCOPES,
    });
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = { code_challenge: challenge, code_challenge_method: 'S256' };
    const callback = await allow(client.code.getUri({ query, state: 'a state' }));
    const tokens = await client.code.getToken(callback.href, { body: { code_verifier: verifier }, state: 'a state' });
    await expectAccess(tokens.accessToken);
    expect((await tokens.refresh()).refreshToken).not.toBe(tokens.refreshToken);
  });

  it('work with remix-auth-oauth2', async () => {
    const app = await registerApp(server);
    const { client_id: clientId, client_secret: clientSecret } = app.credentials;
    const options = { clientId, clientSecret, redirectURI: REDIRECT_URI, scopes: SCOPES };
    const strategy = await OAuth2Strategy.discover(server.url, options, ({ tokens }) => Promise.resolve(tokens));
    const start = (await strategy
      .authenticate(new Request(REDIRECT_URI))
      .catch((thrown: unknown) => thrown)) as Response;
    const callback = await allow(start.headers.get('location')!);
    const cookie = start.headers
      .getSetCookie()
      .map((header) => header.split(';')[0])
      .join('; ');
    const tokens = await strategy.authenticate(new Request(callback, { headers: { cookie } }));
    await expectAccess(tokens.accessToken());
    expect(await isRefreshed(app, tokens.refreshToken())).toBe(true);
  });
});
