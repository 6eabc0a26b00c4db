import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from './derive-key.js';

/** Length of a shortened HMAC-SHA-256 (RFC 2104 §5). */
const TAG_BYTES = 16;

/**
 * Signs texts by HMAC-SHA-256. Equal texts give equal results. HKDF derives a key for one purpose
 * from each secret. The first secret signs and every secret verifies, so that a secret can be
 * replaced.
 */
export class TextSigner {
  private readonly keys: Buffer[];

  /** @param purpose the use of the signer; a signer for another purpose rejects its texts */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) => deriveKey(secret, purpose));
  }

  /** @returns authentication tag and text in base64url */
  sign(text: string): string {
    const bytes = Buffer.from(text);
    return Buffer.concat([computeTag(this.keys[0]!, bytes), bytes]).toString('base64url');
  }

  /** @returns the text, or undefined if no secret signed it */
  verify(signed: string): string | undefined {
    const bytes = Buffer.from(signed, 'base64url');
    const [tag, text] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)];
    const isSigned = (key: Buffer): boolean => timingSafeEqual(computeTag(key, text), tag);
    return tag.length === TAG_BYTES && this.keys.some(isSigned) ? text.toString() : undefined;
  }
}

function computeTag(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, TAG_BYTES);
}
