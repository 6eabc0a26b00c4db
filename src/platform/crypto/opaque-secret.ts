import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The kind of a secret. It starts the text, so that secret scanners find a leaked one. */
export type SecretPrefix = 'sam_refresh' | 'sam_secret' | 'sam_code' | 'sam_session' | 'sam_browser' | 'sam_link';

const SECRET_BYTES = 32;

/**
 * Generates a secret: `<prefix>_<43 characters of 256 random bits><6 characters of checksum>`, in
 * base64url. The database stores only its digest.
 */
export function generateSecret(prefix: SecretPrefix): string {
  return formatSecret(prefix, randomBytes(SECRET_BYTES));
}

/** Derives a secret from a key and a text by HMAC-SHA-256: equal inputs give equal secrets. */
export function deriveSecret(prefix: SecretPrefix, key: Buffer, text: string): string {
  return formatSecret(prefix, createHmac('sha256', key).update(text).digest());
}

/**
 * Whether a text has the format and checksum of a secret. A mistyped or truncated one needs no
 * lookup.
 */
export function isWellFormedSecret(prefix: SecretPrefix, text: string): boolean {
  const body = text.slice(0, -6);
  return new RegExp(`^${prefix}_[A-Za-z0-9_-]{43}$`).test(body) && text.slice(-6) === computeChecksum(body);
}

/**
 * Returns the SHA-256 of a secret in base64url. A fast hash is enough, because 256 random bits
 * cannot be guessed.
 */
export function computeDigest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether two digests are equal, compared in constant time. */
export function isEqualDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function formatSecret(prefix: SecretPrefix, bytes: Buffer): string {
  const body = `${prefix}_${bytes.toString('base64url')}`;
  return body + computeChecksum(body);
}

function computeChecksum(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return checksum.toString('base64url');
}
