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

describe('An access token (spec §2, RFC 9068)', () => {
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
  const expectRefused = ({ status, headers, body }: TestResponse, code = 'token_invalid'): void => {
    expect({ status, code: body.code }).toEqual({ status: 401, code });
    expect(typeof body.error).toBe('string');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
  };
  /** A token that is right in all but what a test changes. */
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

  it('names the person, the app and the scopes, and lives one hour', () => {
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

  it('is accepted as it is, and as a test forges it rightly', async () => {
    expect((await call(token)).status).toBe(200);
    expect((await call(forged({}))).status).toBe(200);
  });

  it('is accepted in the last second of its hour and refused in the next', async () => {
    const { exp } = decoded(1) as { exp: number };
    setClock(exp * SECOND_MS - 1);
    expect((await call(token)).status).toBe(200);
    setClock(exp * SECOND_MS);
    expectRefused(await call(token), 'token_expired');
  });

  it('is refused with alg none', async () => {
    const unsigned = (alg: string): string =>
      [{ ...decoded(0), alg }, decoded(1)]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      expectRefused(await call(`${unsigned(alg)}.`));
      expectRefused(await call(`${unsigned(alg)}.${token.split('.')[2]!}`));
    }
  });

  it("is refused with any algorithm but its key's", async () => {
    const publicKey = server.get(SigningKeysService).getSigningKey('ES256').publicKey;
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expectRefused(await call(hmacSigned(pem)));
    const rsa = server.get(SigningKeysService).getSigningKey('RS256');
    expectRefused(await call(forged({ algorithm: 'RS256', key: rsa.privateKey, header: { kid: rsa.kid } })));
  });

  /** The old attack: the public key, which everybody knows, taken for a shared secret. */
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
    ['with a key id that is no string', { header: { kid: 7 } }],
    ['signed by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
  ])('is refused when it is %s', async (_, change) => {
    expectRefused(await call(forged(change)));
  });

  it('is refused with any one byte flipped', async () => {
    for (let at = 0; at < token.length; at++) {
      const flipped = String.fromCharCode(token.charCodeAt(at) ^ 1);
      if (!/[A-Za-z0-9._-]/.test(flipped)) continue;
      const answer = await call(token.slice(0, at) + flipped + token.slice(at + 1));
      expect({ at, status: answer.status }).toEqual({ at, status: 401 });
    }
  });

  it('is refused with its last character changed in bits that mean nothing', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const next = alphabet[alphabet.indexOf(token.at(-1)!) + 1]!;
    const changed = token.slice(0, -1) + next;
    const signature = (text: string): Buffer => Buffer.from(text.split('.')[2]!, 'base64url');
    expect(signature(changed)).toEqual(signature(token));
    expectRefused(await call(changed));
  });

  it.each(['x', 'a.b.c', '..', 'e30.e30.e30', 'Bearer', '\u00e9\u00e9', '='.repeat(50)])(
    'is refused when it is %j',
    async (text) => {
      expectRefused(await call(text));
    },
  );

  it('is not what an id token is, nor a refresh token', async () => {
    expectRefused(await call(idToken));
    expectRefused(await call((await issueTokens(server, { app: client.app, account })).refresh_token));
  });

  it('is asked for where none is sent', async () => {
    for (const headers of [{} as Record<string, string>, { Authorization: 'Basic eA==' }, { Authorization: token }]) {
      const { status, headers: answered, body } = await server.request('GET', '/api/markers', { headers });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'token_required' });
      expect(answered.get('www-authenticate')).toMatch(/^Bearer /);
      expect(answered.get('www-authenticate')).not.toMatch(/error=/);
    }
  });

  it('is not read from the address', async () => {
    expect((await server.request('GET', `/api/markers?access_token=${token}`)).status).toBe(401);
  });

  it('is accepted with the scheme in any case (RFC 9110 §11.1)', async () => {
    expect(
      (await server.request('GET', '/api/markers', { headers: { Authorization: `bearer ${token}` } })).status,
    ).toBe(200);
  });
});
