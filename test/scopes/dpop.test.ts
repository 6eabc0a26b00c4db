import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DpopKey, type ProofChanges } from '../support/dpop-key.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import type { TestResponse } from '../support/test-server.js';

const PATH = '/api/markers';
const ALGORITHMS = 'algs="ES256 EdDSA RS256"';

describe('An access token that is bound to a key (RFC 9449 §7)', () => {
  const fixture = OAuthFixture.use({ appPerFile: true, app: () => ({ clientType: 'public' }) });
  let key: DpopKey;
  let otherKey: DpopKey;
  let token: string;

  beforeAll(async () => {
    [key, otherKey] = [await DpopKey.create(), await DpopKey.create()];
  });
  beforeEach(async () => {
    const { code, codeVerifier } = await fixture.obtainCode({ scope: 'openid markers:read', prompt: 'consent' });
    const body = { grant_type: 'authorization_code', code, code_verifier: codeVerifier, ...fixture.app.credentials };
    const headers = { DPoP: await key.sign('POST', urlOf('/api/oauth/token')) };
    token = (await fixture.server.request('POST', '/api/oauth/token', { body, headers })).body.access_token as string;
  });

  const urlOf = (path: string): string => fixture.server.settings.BASE_URL + path;
  const prove = (using = key, changes?: ProofChanges): Promise<string> =>
    using.sign('GET', urlOf(PATH), token, changes);
  const get = (headers: Record<string, string>, path = PATH): Promise<TestResponse> =>
    fixture.server.request('GET', path, { headers });
  const getWithProof = async (proof: Promise<string> | string, path = PATH): Promise<TestResponse> =>
    get({ Authorization: `DPoP ${token}`, DPoP: await proof }, path);
  const expectRejected = ({ status, body, headers }: TestResponse, code: string, message: RegExp): string => {
    expect({ status, code: body.code }).toEqual({ status: 401, code });
    expect(body.error).toMatch(message);
    return headers.get('www-authenticate')!;
  };

  it('is accepted with a proof of its key for this request', async () => {
    expect((await getWithProof(prove())).status).toBe(200);
    expect((await getWithProof(prove(), `${PATH}?limit=1`)).status).toBe(200);
    const headers = { Authorization: `dpop  ${token}`, DPoP: await prove() };
    expect((await get(headers)).status).toBe(200);
  });

  it('is accepted by the userinfo endpoint, by GET and POST', async () => {
    const path = '/api/oauth/userinfo';
    for (const method of ['GET', 'POST']) {
      const headers = { Authorization: `DPoP ${token}`, DPoP: await key.sign(method, urlOf(path), token) };
      expect((await fixture.server.request(method, path, { headers })).status).toBe(200);
    }
  });

  it('is rejected as Bearer, also after it was accepted', async () => {
    expect((await getWithProof(prove())).status).toBe(200);
    const withProof = { Authorization: `Bearer ${token}`, DPoP: await prove() };
    for (const response of [await fixture.server.request('GET', PATH, { token }), await get(withProof)]) {
      const challenge = expectRejected(response, 'token_invalid', /is bound to a key\. Send/);
      expect(challenge).toMatch(/^Bearer error="invalid_token"/);
      expect(challenge.endsWith(`, DPoP ${ALGORITHMS}`)).toBe(true);
    }
  });

  it('is rejected in a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `access_token=${token}`;
    const response = await fixture.server.request('POST', '/api/oauth/userinfo', { body, headers });
    expectRejected(response, 'token_invalid', /is bound to a key/);
  });

  it('is rejected without a proof, and with a wrong one', async () => {
    const missing = await get({ Authorization: `DPoP ${token}` });
    const challenge = expectRejected(missing, 'invalid_dpop_proof', /header DPoP is missing/);
    expect(challenge).toMatch(/^DPoP error="invalid_dpop_proof", /);
    expect(challenge).toContain(ALGORITHMS);
    expect(challenge).toContain('resource_metadata="');
    const wrong: [Promise<string> | string, RegExp][] = [
      ['nonsense', /one signed JWT/],
      [key.sign('POST', urlOf(PATH), token), /^htm/],
      [key.sign('GET', urlOf('/api/artists'), token), /^htu/],
      [key.sign('GET', urlOf(PATH)), /^ath/],
      [key.sign('GET', urlOf(PATH), 'another token'), /^ath/],
      [prove(key, { claims: { iat: Date.now() / 1000 - 62 } }), /^iat/],
      [prove(key, { header: { jwk: (await DpopKey.create()).jwk } }), /signature/],
    ];
    for (const [proof, message] of wrong) expectRejected(await getWithProof(proof), 'invalid_dpop_proof', message);
  });

  it('is rejected with the proof of another key', async () => {
    expectRejected(await getWithProof(prove(otherKey)), 'token_invalid', /another key/);
  });

  it('is rejected with a proof that was used before', async () => {
    const proof = await prove();
    const responses = await Promise.all(Array.from({ length: 5 }, () => getWithProof(proof)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expectRejected(await getWithProof(proof), 'invalid_dpop_proof', /used before/);
  });

  it('lets another key use the same jti', async () => {
    const changes = { claims: { jti: 'the same' } };
    expect((await getWithProof(prove(key, changes))).status).toBe(200);
    expectRejected(await getWithProof(prove(otherKey, changes)), 'token_invalid', /another key/);
  });

  it('is not accepted instead of a token without a key', async () => {
    const { access_token } = await fixture.issueTokens(['markers:read']);
    const headers = { Authorization: `DPoP ${access_token}`, DPoP: await key.sign('GET', urlOf(PATH), access_token) };
    expectRejected(await get(headers), 'token_invalid', /is not bound to a key/);
    expect((await fixture.server.request('GET', PATH, { token: access_token })).status).toBe(200);
  });

  it('needs its scope like any other', async () => {
    const path = '/api/edits/mine';
    const response = await getWithProof(key.sign('GET', urlOf(path), token), path);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope"/);
  });

  it('can be sent by scripts of other origins, and the metadata names the algorithms', async () => {
    const preflight = { Origin: 'https://x.example', 'Access-Control-Request-Method': 'GET' };
    const { headers } = await fixture.server.request('OPTIONS', PATH, { headers: preflight });
    expect(headers.get('access-control-allow-headers')).toMatch(/\bDPoP\b/);
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-protected-resource'])
      expect((await get({}, path)).body.dpop_signing_alg_values_supported).toEqual(['ES256', 'EdDSA', 'RS256']);
  });
});
