import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './derive-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts by AES-256-GCM (NIST SP 800-38D). HKDF derives a key for one purpose from each
 * secret (RFC 5869). The first secret encrypts and every secret decrypts, so that a secret can be
 * replaced.
 */
export class AesGcmCipher {
  private readonly keys: Buffer[];

  /** @param purpose the use of the cipher; a cipher for another purpose cannot decrypt its texts */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) => deriveKey(secret, purpose));
  }

  /** @returns nonce, authentication tag and ciphertext in base64url */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys[0]!, nonce);
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
  }

  /** @returns the text, or undefined if no secret decrypts it */
  decrypt(encrypted: string): string | undefined {
    for (const key of this.keys) {
      const text = decryptWithKey(key, encrypted);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Whether another secret than the first encrypted it. */
  needsReencryption(encrypted: string): boolean {
    return decryptWithKey(this.keys[0]!, encrypted) === undefined && this.decrypt(encrypted) !== undefined;
  }
}

function decryptWithKey(key: Buffer, encrypted: string): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
