import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a machine-made secret opens; the start of its text, so that secret scanners can find a leaked one. */
export type SecretPrefix = 'sam_refresh' | 'sam_secret' | 'sam_code' | 'sam_session';

const SECRET_BYTES = 32;

/**
 * A new secret: `<kind>_<43 characters of 256 random bits><6 characters that check the rest>`, in base64url.
 * Only its `digest` is ever stored.
 */
export function generateSecret(kind: SecretPrefix): string {
  return formatSecret(kind, randomBytes(SECRET_BYTES));
}

/** The secret that follows from a key and a text: the same each time, and not to be guessed without the key. */
export function deriveSecret(kind: SecretPrefix, key: Buffer, text: string): string {
  return formatSecret(kind, createHmac('sha256', key).update(text).digest());
}

/** Whether a text could be a secret of this kind; a mistyped or cut one could not, and need not be looked up. */
export function isWellFormedSecret(kind: SecretPrefix, text: string): boolean {
  const body = text.slice(0, -6);
  return new RegExp(`^${kind}_[A-Za-z0-9_-]{43}$`).test(body) && text.slice(-6) === computeChecksum(body);
}

/**
 * What is stored of a secret: its SHA-256, in base64url. A fast hash is enough, because 256 random bits cannot be guessed.
 */
export function computeDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether two digests are equal, in a time that does not tell where they differ. */
export function isEqualDigest(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function formatSecret(kind: SecretPrefix, bytes: Buffer): string {
  const body = `${kind}_${bytes.toString('base64url')}`;
  return body + computeChecksum(body);
}

function computeChecksum(body: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString('base64url');
}
