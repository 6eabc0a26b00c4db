import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { SigningKeysService } from '../../src/identity/keys/signing-keys.service.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { setClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';

const jwtService = new JwtService({});
const ISSUER = 'https://map.example.org';
const AUDIENCE = `${ISSUER}/api`;

interface Forgery {
  header?: object;
  claims?: object;
  key?: KeyObject;
  algorithm?: 'ES256' | 'RS256';
}

describe('Access token (spec §2, RFC 9068)', () => {
  let server: TestServer;
  let account: Account;
  let client: TestApp;
  let token: string;
  let idToken: string;

  beforeAll(async () => {
    server = await TestServer.start();
    account = await createAccount(server);
    client = await registerApp(server);
    const tokens = await issueTokens(server, { app: client.app, account });
    token = tokens.access_token;
    idToken = tokens.id_token!;
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const call = (bearer: string): Promise<TestResponse> => server.request('GET', '/api/markers', { token: bearer });
  const decoded = (part: number): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[part]!, 'base64url').toString()) as Record<string, unknown>;
  const expectError = ({ status, headers, body }: TestResponse, code = 'token_invalid'): void => {
    expect({ status, code: body.code }).toEqual({ status: 401, code });
    expect(typeof body.error).toBe('string');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
  };
  /** Signs an access token that is valid except for the change of the test. */
  const forged = ({ header, claims, key, algorithm = 'ES256' }: Forgery): string => {
    const current = server.get(SigningKeysService).getSigningKey('ES256');
    const now = Math.floor(Date.now() / 1000);
    const right = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: account.id,
      client_id: client.app.id,
      scope: 'markers:read',
      iat: now,
      exp: now + 3600,
    };
    return jwtService.sign(
      { ...right, ...claims },
      {
        privateKey: key ?? current.privateKey,
        algorithm,
        header: { typ: 'at+jwt', kid: current.kid, ...header, alg: algorithm },
      },
    );
  };

  it('has the account, the app and the scopes, and expires after one hour', () => {
    expect(decoded(0)).toEqual({
      typ: 'at+jwt',
      alg: 'ES256',
      kid: server.get(SigningKeysService).getSigningKey('ES256').kid,
    });
    const { iat, ...claims } = decoded(1);
    expect(claims).toEqual({
      iss: ISSUER,
      aud: AUDIENCE,
      sub: account.id,
      client_id: client.app.id,
      scope: client.app.scopes.join(' '),
      exp: (iat as number) + 3600,
      jti: expect.any(String),
    });
  });

  it('is accepted as issued, and as the test signs it', async () => {
    expect((await call(token)).status).toBe(200);
    expect((await call(forged({}))).status).toBe(200);
  });

  it('is accepted in the last second of its hour, and rejected in the next', async () => {
    const { exp } = decoded(1) as { exp: number };
    setClock(exp * SECOND_MS - 1);
    expect((await call(token)).status).toBe(200);
    setClock(exp * SECOND_MS);
    expectError(await call(token), 'token_expired');
  });

  it('is rejected with alg none', async () => {
    const unsigned = (alg: string): string =>
      [{ ...decoded(0), alg }, decoded(1)]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      expectError(await call(`${unsigned(alg)}.`));
      expectError(await call(`${unsigned(alg)}.${token.split('.')[2]!}`));
    }
  });

  it('is rejected with another algorithm than that of its key', async () => {
    const publicKey = server.get(SigningKeysService).getSigningKey('ES256').publicKey;
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expectError(await call(hmacSigned(pem)));
    const rsa = server.get(SigningKeysService).getSigningKey('RS256');
    expectError(await call(forged({ algorithm: 'RS256', key: rsa.privateKey, header: { kid: rsa.kid } })));
  });

  /** The known attack: an HMAC signature with the public key as the secret. */
  function hmacSigned(pem: string): string {
    const kid = server.get(SigningKeysService).getSigningKey('ES256').kid;
    return jwtService.sign(decoded(1), {
      privateKey: createSecretKey(Buffer.from(pem)),
      algorithm: 'HS256',
      header: { typ: 'at+jwt', alg: 'HS256', kid },
    });
  }

  it.each([
    ['of another issuer', { claims: { iss: 'https://elsewhere.example' } }],
    ['for another audience', { claims: { aud: ISSUER } }],
    ['with the type of another kind of JWT', { header: { typ: 'JWT' } }],
    ['without a type', { header: { typ: undefined } }],
    ['of an unknown key', { header: { kid: 'unknown' } }],
    ['without a key', { header: { kid: undefined } }],
    ['with a key id of another type', { header: { kid: 7 } }],
    ['signed by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
  ])('is rejected when it is %s', async (_, change) => {
    expectError(await call(forged(change)));
  });

  it('is rejected with any byte changed', async () => {
    for (let index = 0; index < token.length; index++) {
      const flipped = String.fromCharCode(token.charCodeAt(index) ^ 1);
      if (!/[A-Za-z0-9._-]/.test(flipped)) continue;
      const response = await call(token.slice(0, index) + flipped + token.slice(index + 1));
      expect({ at: index, status: response.status }).toEqual({ at: index, status: 401 });
    }
  });

  it('is rejected with changed padding bits in its last character', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const next = alphabet[alphabet.indexOf(token.at(-1)!) + 1]!;
    const changed = token.slice(0, -1) + next;
    const signature = (text: string): Buffer => Buffer.from(text.split('.')[2]!, 'base64url');
    expect(signature(changed)).toEqual(signature(token));
    expectError(await call(changed));
  });

  it('of another issuer is rejected with both issuers', async () => {
    const claims = { iss: 'http://localhost:3001', aud: 'http://localhost:3001/api' };
    const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const forgery of [{ claims }, { claims, key: foreignKey, header: { kid: 'unknown' } }]) {
      const response = await call(forged(forgery));
      expectError(response);
      expect(response.body.error).toBe(
        `The access token was issued by http://localhost:3001, but this service is ${ISSUER}. Request a token from this service.`,
      );
    }
  });

  it('does not repeat an issuer that is not a plain URL', async () => {
    for (const iss of ['x" y="', 'https://evil.example/"', `https://${'a'.repeat(300)}.example`, 'javascript:1', 7]) {
      const response = await call(forged({ claims: { iss } }));
      expectError(response);
      expect(response.body.error).toMatch(/^The access token is not valid/);
    }
  });

  it.each(['x', 'a.b.c', '..', 'e30.e30.e30', 'Bearer', '\u00e9\u00e9', '='.repeat(50)])(
    'rejects the text %j',
    async (text) => {
      expectError(await call(text));
    },
  );

  it('rejects an ID token and a refresh token', async () => {
    expectError(await call(idToken));
    expectError(await call((await issueTokens(server, { app: client.app, account })).refresh_token));
  });

  it('is required', async () => {
    for (const headers of [{} as Record<string, string>, { Authorization: 'Basic eA==' }, { Authorization: token }]) {
      const { status, headers: answered, body } = await server.request('GET', '/api/markers', { headers });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'token_required' });
      expect(answered.get('www-authenticate')).toMatch(/^Bearer /);
      expect(answered.get('www-authenticate')).not.toMatch(/error=/);
    }
  });

  it('is not read from the query', async () => {
    expect((await server.request('GET', `/api/markers?access_token=${token}`)).status).toBe(401);
  });

  it('is accepted with the scheme in any case (RFC 9110 §11.1)', async () => {
    expect(
      (await server.request('GET', '/api/markers', { headers: { Authorization: `bearer ${token}` } })).status,
    ).toBe(200);
  });
});
