import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import type { SigningAlgorithm, SigningKey } from './signing-key.entity.js';

/** Generates a key pair to be stored. The cipher encrypts its private key. */
export async function generateSigningKey(algorithm: SigningAlgorithm, cipher: AesGcmCipher): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPairFor(algorithm);
  return {
    kid: computeThumbprint(publicKey),
    algorithm,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    encryptedPrivateKey: cipher.encrypt(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    createdAt: new Date(),
  };
}

function generateKeyPairFor(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const generate = promisify(generateKeyPair);
  return algorithm === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: 2048 });
}

/** The members of the thumbprint input, in the order of RFC 7638 §3.2. */
const THUMBPRINT_MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y'];

function computeThumbprint(publicKey: KeyObject): string {
  const jwk = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify(jwk, THUMBPRINT_MEMBERS)).digest('base64url');
}
