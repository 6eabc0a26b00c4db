import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { SigningKey, type SigningAlgorithm } from './signing-key.entity.js';

/** Makes a key pair to be stored, its private half sealed in `box`. */
export async function generateSigningKey(algorithm: SigningAlgorithm, box: AesGcmCipher): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPairFor(algorithm);
  return {
    kid: computeThumbprint(publicKey),
    algorithm,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    encryptedPrivateKey: box.encrypt(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    createdAt: new Date(),
  };
}

function generateKeyPairFor(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const generated = promisify(generateKeyPair);
  return algorithm === 'ES256' ? generated('ec', { namedCurve: 'P-256' }) : generated('rsa', { modulusLength: 2048 });
}

/** The members of a public key that its thumbprint is made of, in the order of RFC 7638 §3.2. */
const THUMBPRINT_MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y'];

function computeThumbprint(publicKey: KeyObject): string {
  const jwk = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify(jwk, THUMBPRINT_MEMBERS)).digest('base64url');
}
