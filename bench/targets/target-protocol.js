import { generateKeyPairSync, sign } from 'node:crypto';

/** How many chains are to be made. */
export const CHAIN_COUNT = Number(process.env.CHAINS);

/** Tells the one who presses where, by which client, in which form, and with which tokens. */
export function announceReady(target) {
  process.stdout.write(`${JSON.stringify(target)}\n`);
}

export const CLIENT = { id: 'bench', secret: 'a secret of the bench and of nothing else' };

/** A small answer. */
export const SMALL_RESPONSE = { data: [{ id: 'mrk_01JDEM00000000000000000001', title: 'Heron' }], page: { limit: 1 } };

/** What signs access tokens by ES256, with a key object. */
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
