import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { createMarker, registerApp } from '../support/factories.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { TestServer } from '../support/test-server.js';

const ALLOW_HTTP = { [oauth.allowInsecureRequests]: true };

describe('oauth4webapi with DPoP', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startIssuer();
  });
  afterAll(() => server.stop());

  it('signs in with a bound code, calls the API, and refreshes', async () => {
    const issuer = new URL(server.url);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, ALLOW_HTTP));
    const { client_id } = (await registerApp(server, { clientType: 'public' })).credentials;
    const client: oauth.Client = { client_id };
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const options = { DPoP, ...ALLOW_HTTP };
    const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
    const query = new URLSearchParams({
      client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid profile markers:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
      state,
    });
    const owner = await ResourceOwner.create(server);
    const callback = await owner.signInAndGrantConsent(`${as.authorization_endpoint}?${query}`);
    const params = oauth.validateAuthResponse(as, client, callback, state);
    const exchange = [as, client, oauth.None(), params, REDIRECT_URI, verifier] as const;
    const response = await oauth.authorizationCodeGrantRequest(...exchange, options);
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
    expect(tokens.token_type).toBe('dpop');

    const marker = await createMarker(server);
    const read = async (token: string, using: object): Promise<Response> =>
      oauth.protectedResourceRequest(token, 'GET', new URL('/api/markers', server.url), undefined, undefined, using);
    expect(await (await read(tokens.access_token, options)).text()).toContain(marker.id);
    await expect(read(tokens.access_token, ALLOW_HTTP)).rejects.toMatchObject({ status: 401 });

    const refresh = (using: object): Promise<Response> =>
      oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, using);
    const unbound = oauth.processRefreshTokenResponse(as, client, await refresh(ALLOW_HTTP));
    await expect(unbound).rejects.toMatchObject({ error: 'invalid_grant' });
    const refreshed = await oauth.processRefreshTokenResponse(as, client, await refresh(options));
    expect((await read(refreshed.access_token, options)).status).toBe(200);
  });
});
