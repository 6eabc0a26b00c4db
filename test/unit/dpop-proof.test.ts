import { beforeAll, describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { DpopProofError, verifyDpopProof } from '../../src/identity/scopes/dpop-proof.js';
import { DpopKey, type ProofChanges } from '../support/dpop-key.js';

const URL_OF_API = 'https://map.example.org/api/markers';
const REQUEST = { method: 'GET', url: URL_OF_API, accessToken: 'token' };

describe('A DPoP proof', () => {
  let key: DpopKey;

  beforeAll(async () => {
    key = await DpopKey.create();
  });

  const sign = (changes?: ProofChanges, using = key): Promise<string> =>
    using.sign('GET', URL_OF_API, 'token', changes);
  const now = (): number => Math.floor(Date.now() / 1000);

  it.each(['ES256', 'EdDSA', 'RS256'])('signed with %s is valid, and has the thumbprint of its key', async (alg) => {
    const other = await DpopKey.create(alg);
    const proof = verifyDpopProof(await sign({ claims: { jti: 'one' } }, other), REQUEST, Date.now());
    expect(proof).toEqual({ jkt: other.jkt, jti: 'one' });
  });

  it('has the same thumbprint with other members in its key', async () => {
    const jwk = { use: 'sig', kid: 'mine', ...key.jwk };
    expect(verifyDpopProof(await sign({ header: { jwk } }), REQUEST, Date.now()).jkt).toBe(key.jkt);
  });

  it.each([
    'HTTPS://MAP.example.org:443/api/markers',
    `${URL_OF_API}?limit=1#top`,
    'https://map.example.org/api/./x/../markers',
  ])('may write the address as %s', async (htu) => {
    expect(verifyDpopProof(await sign({ claims: { htu } }), REQUEST, Date.now()).jkt).toBe(key.jkt);
  });

  it.each([-60, 60])('may be %i seconds old', async (seconds) => {
    const proof = await sign({ claims: { iat: now() } });
    expect(() => verifyDpopProof(proof, REQUEST, (now() + seconds) * 1000)).not.toThrow();
  });

  it.each<[string, ProofChanges, RegExp]>([
    ['without typ', { header: { typ: undefined } }, /^typ/],
    ['with the typ of an access token', { header: { typ: 'at+jwt' } }, /^typ/],
    ['without a key', { header: { jwk: undefined } }, /^jwk/],
    ['with a symmetric key', { header: { jwk: { kty: 'oct', k: 'AAAA' } } }, /^jwk/],
    ['with an incomplete key', { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AAAA' } } }, /^jwk/],
    ['with a key as text', { header: { jwk: 'key' } }, /^jwk/],
    ['without jti', { claims: { jti: undefined } }, /^jti/],
    ['with an empty jti', { claims: { jti: '' } }, /^jti/],
    ['with a long jti', { claims: { jti: 'x'.repeat(256) } }, /^jti/],
    ['with a jti of another type', { claims: { jti: 7 } }, /^jti/],
    ['without htm', { claims: { htm: undefined } }, /^htm/],
    ['for another method', { claims: { htm: 'POST' } }, /^htm/],
    ['for a method in lower case', { claims: { htm: 'get' } }, /^htm/],
    ['without htu', { claims: { htu: undefined } }, /^htu/],
    ['for another path', { claims: { htu: `${URL_OF_API}/` } }, /^htu/],
    ['for another host', { claims: { htu: 'https://map.example.org.evil.example/api/markers' } }, /^htu/],
    ['for another scheme', { claims: { htu: URL_OF_API.replace('https', 'http') } }, /^htu/],
    ['for a path alone', { claims: { htu: '/api/markers' } }, /^htu/],
    ['without iat', { claims: { iat: undefined } }, /^iat/],
    ['with iat as text', { claims: { iat: String(Date.now() / 1000) } }, /^iat/],
    ['that is too old', { claims: { iat: Date.now() / 1000 - 62 } }, /^iat/],
    ['that is too young', { claims: { iat: Date.now() / 1000 + 62 } }, /^iat/],
    ['without ath', { claims: { ath: undefined } }, /^ath/],
    ['for another token', { claims: { ath: 'x'.repeat(43) } }, /^ath/],
  ])('%s is rejected', async (_, changes, message) => {
    const proof = await sign(changes);
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(message);
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(DpopProofError);
  });

  it('with its private key is rejected', async () => {
    const proof = await sign({ header: { jwk: await key.exportPrivateJwk() } });
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(/^jwk/);
  });

  it('signed by another key than its jwk is rejected', async () => {
    const proof = await sign({ header: { jwk: (await DpopKey.create()).jwk } });
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(/signature/);
  });

  it('with a changed claim is rejected', async () => {
    const [header, , signature] = (await sign()).split('.');
    const [, claims] = (await sign({ claims: { jti: 'other' } })).split('.');
    expect(() => verifyDpopProof(`${header}.${claims}.${signature}`, REQUEST, Date.now())).toThrow(/signature/);
  });

  it.each([
    ['ES384', undefined],
    ['PS256', undefined],
    ['HS256', undefined],
    ['none', undefined],
  ])('with the alg %s is rejected', async (alg) => {
    const [, claims, signature] = (await sign()).split('.');
    const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: key.jwk })).toString('base64url');
    expect(() => verifyDpopProof(`${header}.${claims}.${signature}`, REQUEST, Date.now())).toThrow(/^alg/);
  });

  it('of a key that does not match its alg is rejected', async () => {
    const rsa = await DpopKey.create('RS256');
    const proof = await sign({ header: { jwk: rsa.jwk } });
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(/^jwk/);
  });

  it('with crit is rejected', async () => {
    const [, claims, signature] = (await sign()).split('.');
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, crit: ['x'] };
    const proof = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}.${signature}`;
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(/^crit/);
  });

  it.each(['', 'a', 'a.b.c', 'W10.W10.', 'bnVsbA.bnVsbA.', `${new UnsecuredJWT({}).encode()}.x`])(
    '%j is rejected',
    (proof) => expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(DpopProofError),
  );

  it('that was joined with another one is rejected', async () => {
    const proof = `${await sign()}, ${await sign()}`;
    expect(() => verifyDpopProof(proof, REQUEST, Date.now())).toThrow(DpopProofError);
  });
});
