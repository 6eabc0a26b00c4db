import { generateKeyPairSync, sign } from 'node:crypto';

/** Number of refresh token chains to create. */
export const CHAIN_COUNT = Number(process.env.CHAINS);

/** Sends the load generator the URL, the client, the body format and the tokens. */
export function announceReady(target) {
  process.stdout.write(`${JSON.stringify(target)}\n`);
}

export const CLIENT = { id: 'bench', secret: 'a secret of the bench and of nothing else' };

/** The response body of the guarded routes. */
export const SMALL_RESPONSE = { data: [{ id: 'mrk_01JDEM00000000000000000001', title: 'Heron' }], page: { limit: 1 } };

/**
 * Creates a signer of access tokens by ES256. It signs with the key object and converts the
 * signature, because on Node.js 24 an option such as `dsaEncoding` more than doubles the time.
 */
export function createEs256Signer() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const part = (object) => Buffer.from(JSON.stringify(object)).toString('base64url');
  const header = part({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' });
  return {
    jwk: { ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' },
    jwt: (claims) => {
      const signed = `${header}.${part(claims)}`;
      return `${signed}.${toJwsSignature(sign('sha256', Buffer.from(signed), privateKey))}`;
    },
  };
}

/** Converts a signature from DER to the 64 bytes of RFC 7518 §3.4, in base64url. */
function toJwsSignature(der) {
  const bytes = Buffer.alloc(64);
  const r = der.subarray(4, 4 + der[3]);
  const s = der.subarray(6 + der[3]);
  for (const [number, end] of [
    [r, 32],
    [s, 64],
  ]) {
    const significant = number.subarray(Math.max(0, number.length - 32));
    significant.copy(bytes, end - significant.length);
  }
  return bytes.toString('base64url');
}
