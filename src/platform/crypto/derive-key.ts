import { hkdfSync } from 'node:crypto';

/** Derives a key of 256 bits for one purpose from a secret, by HKDF-SHA-256 (RFC 5869). */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'street-art-map', purpose, 32));
}
