import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './derive-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals texts for the database under `MASTER_SECRET`, by AES-256-GCM (NIST SP 800-38D) with a key derived for one purpose
 * by HKDF (RFC 5869). Of several secrets the first seals and every one opens, so that a secret can be replaced.
 */
export class AesGcmCipher {
  private readonly keys: Buffer[];

  /** @param purpose what is sealed; a box for another purpose cannot open it */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) => deriveKey(secret, purpose));
  }

  /** @returns base64url of nonce, tag and ciphertext */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys[0]!, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** @returns the text, or undefined where none of the secrets opens it */
  decrypt(sealed: string): string | undefined {
    for (const key of this.keys) {
      const text = decryptWithKey(key, sealed);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Whether a later one of the secrets sealed it, so that it should be sealed again. */
  needsReencryption(sealed: string): boolean {
    return decryptWithKey(this.keys[0]!, sealed) === undefined && this.decrypt(sealed) !== undefined;
  }
}

function decryptWithKey(key: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
