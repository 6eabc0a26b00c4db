import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { createAuthorizationRequest, parseRedirectParams } from '../support/authorization-flow.js';
import { DpopKey, type ProofChanges } from '../support/dpop-key.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const TOKEN_PATH = '/api/oauth/token';

describe.each(['public', 'confidential'] as const)('DPoP (RFC 9449) at the token endpoint, %s client', (clientType) => {
  const fixture = OAuthFixture.use({ app: () => ({ clientType }) });
  let key: DpopKey;
  let otherKey: DpopKey;

  beforeAll(async () => {
    [key, otherKey] = [await DpopKey.create(), await DpopKey.create('EdDSA')];
  });

  const prove = (using = key, changes?: ProofChanges): Promise<string> =>
    using.sign('POST', fixture.server.settings.BASE_URL + TOKEN_PATH, undefined, changes);
  const post = async (fields: Record<string, unknown>, proof?: string | Promise<string>): Promise<TestResponse> => {
    const headers: Record<string, string> = proof === undefined ? {} : { DPoP: await proof };
    return fixture.server.request('POST', TOKEN_PATH, { body: { ...fixture.app.credentials, ...fields }, headers });
  };
  const exchange = async (parameters: Record<string, string>, proof?: Promise<string>): Promise<TestResponse> => {
    const { code, codeVerifier } = await fixture.obtainCode({ prompt: 'consent', ...parameters });
    return post({ grant_type: 'authorization_code', code, code_verifier: codeVerifier }, proof);
  };
  const refresh = (refresh_token: string, proof?: string | Promise<string>): Promise<TestResponse> =>
    post({ grant_type: 'refresh_token', refresh_token }, proof);
  const expectBound = ({ status, body }: TestResponse, using = key): string => {
    expect({ status, type: body.token_type }).toEqual({ status: 200, type: 'DPoP' });
    expect(decodeJwt(body.access_token as string)['cnf']).toEqual({ jkt: using.jkt });
    return body.refresh_token as string;
  };
  const expectError = ({ status, body }: TestResponse, error: string, description: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error });
    expect(body.error_description).toMatch(description);
  };

  it('binds the access tokens of a code and of a refresh to the key of the proof', async () => {
    const token = expectBound(await exchange({}, prove()));
    expectBound(await refresh(token, prove()));
  });

  it('issues Bearer tokens without a proof', async () => {
    const { body } = await exchange({});
    expect(body.token_type).toBe('Bearer');
    expect(decodeJwt(body.access_token as string)).not.toHaveProperty('cnf');
  });

  it('binds the refresh tokens of a public client only, and spends none with another key', async () => {
    const token = expectBound(await exchange({}, prove()));
    if (clientType === 'confidential') {
      const second = expectBound(await refresh(token, prove(otherKey)), otherKey);
      expect((await refresh(second)).body.token_type).toBe('Bearer');
      return;
    }
    expectError(await refresh(token), 'invalid_grant', /bound to another key/);
    expectError(await refresh(token, prove(otherKey)), 'invalid_grant', /bound to another key/);
    const second = expectBound(await refresh(token, prove()));
    expectError(await refresh(second), 'invalid_grant', /bound to another key/);
    expectBound(await refresh(second, prove()));
  });

  it('leaves a chain without a key unbound', async () => {
    const { refresh_token } = (await exchange({})).body;
    const second = expectBound(await refresh(refresh_token as string, prove()));
    expect((await refresh(second)).body.token_type).toBe('Bearer');
  });

  it('rejects wrong proofs with invalid_dpop_proof, and spends nothing', async () => {
    const token = expectBound(await exchange({}, prove()));
    const wrong: [Promise<string> | string, RegExp][] = [
      ['nonsense', /one signed JWT/],
      [prove(key, { claims: { htm: 'GET' } }), /^htm/],
      [prove(key, { claims: { htu: fixture.server.settings.BASE_URL } }), /^htu/],
      [prove(key, { claims: { iat: Date.now() / 1000 - 62 } }), /^iat/],
      [prove(key, { header: { typ: 'jwt' } }), /^typ/],
      [prove(key, { header: { jwk: otherKey.jwk } }), /^jwk/],
    ];
    for (const [proof, message] of wrong) expectError(await refresh(token, proof), 'invalid_dpop_proof', message);
    expectBound(await refresh(token, prove()));
  });

  it('accepts a proof once', async () => {
    const proof = await prove();
    const token = expectBound(await exchange({}, Promise.resolve(proof)));
    expectError(await refresh(token, proof), 'invalid_dpop_proof', /used before/);
    expectBound(await refresh(token, prove()));
  });

  it('counts the proof of a refused request as used', async () => {
    const proof = await prove();
    expectError(await refresh('sam_refresh_nonsense', proof), 'invalid_grant', /unknown/);
    expectError(await refresh('sam_refresh_nonsense', proof), 'invalid_dpop_proof', /used before/);
  });

  it('checks the credentials and the grant type before the proof', async () => {
    expect((await post({ client_id: 'app_x' }, 'nonsense')).body.error).toBe('invalid_client');
    expect((await post({ grant_type: 'password' }, 'nonsense')).body.error).toBe('unsupported_grant_type');
  });

  it('repeats the response for the same Idempotency-Key only with the same key', async () => {
    const token = expectBound(await exchange({}, prove()));
    const repeat = async (using: DpopKey): Promise<TestResponse> =>
      fixture.refreshTokens(token, {}, { DPoP: await prove(using), 'Idempotency-Key': '0123456789abcdef' });
    const first = await repeat(key);
    expectBound(first);
    expect((await repeat(key)).body).toEqual(first.body);
    expect((await repeat(otherKey)).body).toMatchObject({ error: 'invalid_grant' });
  });

  describe('with dpop_jkt at the authorization endpoint', () => {
    const exchangeTwice = async (proof: Promise<string> | undefined): Promise<TestResponse[]> => {
      const { code, codeVerifier } = await fixture.obtainCode({ prompt: 'consent', dpop_jkt: key.jkt });
      const fields = { grant_type: 'authorization_code', code, code_verifier: codeVerifier };
      return [await post(fields, proof), await post(fields, prove())];
    };

    it.each([
      ['no proof', (): undefined => undefined],
      ['the proof of another key', () => prove(otherKey)],
    ])('rejects the code with %s, and keeps it valid', async (_, createProof) => {
      const [wrong, right] = await exchangeTwice(createProof());
      expectError(wrong!, 'invalid_grant', /bound to another key by dpop_jkt/);
      expectBound(right!);
    });

    it.each(['x', 'x'.repeat(44), `${'x'.repeat(42)}+`])('rejects the malformed value %s', async (dpop_jkt) => {
      expect(parseRedirectParams(await fixture.authorize({ dpop_jkt }))).toMatchObject({ error: 'invalid_request' });
    });

    it('rejects it if it was sent twice', async () => {
      const { path } = createAuthorizationRequest(fixture.app, { dpop_jkt: key.jkt });
      const { error } = parseRedirectParams(await fixture.browser.get(`${path}&dpop_jkt=${key.jkt}`));
      expect(error).toBe('invalid_request');
    });
  });

  it('accepts a proof once in all processes, with RATE_LIMITS=off too', async () => {
    const token = expectBound(await exchange({}, prove()));
    const { DATABASE_URL } = fixture.server.settings;
    const other = await TestServer.start({ DATABASE_URL, RATE_LIMITS: 'off' });
    const proof = await prove();
    const body = { grant_type: 'refresh_token', refresh_token: token, ...fixture.app.credentials };
    const send = (server: TestServer): Promise<TestResponse> =>
      server.request('POST', TOKEN_PATH, { body, headers: { DPoP: proof } });
    const next = expectBound(await send(other));
    expect((await send(fixture.server)).body).toMatchObject({ error: 'invalid_dpop_proof' });
    expect((await send(other)).body).toMatchObject({ error: 'invalid_dpop_proof' });
    await other.stop();
    expectBound(await refresh(next, prove()));
  });
});
