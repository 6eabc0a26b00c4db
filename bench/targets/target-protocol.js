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

/** Creates a signer of access tokens by ES256, with a key object. */
export function createEs256Signer() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const part = (object) => Buffer.from(JSON.stringify(object)).toString('base64url');
  const header = part({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' });
  return {
    jwk: { ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'ES256', use: 'sig' },
    jwt: (claims) => {
      const signed = `${header}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}
