import { hash, verify } from 'argon2';
import pLimit from 'p-limit';

/**
 * Limits hashing to two threads, so that it leaves two of the four threads of libuv's pool to the
 * database.
 */
const limitConcurrency = pLimit(2);

/**
 * Hashes a password with Argon2id and a random salt, at the library's default cost (64 MiB, 3
 * passes), which is above the recommendations of RFC 9106 §4 and OWASP.
 * @returns the PHC string: algorithm, cost, salt and hash
 */
export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password.normalize('NFC')));
}

/** Whether the password matches the hash. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return limitConcurrency(() => verify(passwordHash, password.normalize('NFC')));
}

/**
 * A hash of the same cost that matches no known password. It is verified if the account does not
 * exist.
 */
export const DUMMY_PASSWORD_HASH =
  '$argon2id$v=19$m=65536,p=4,t=3$aHEcioin7CrlxVhS5HISlA$Z4IalYTcZh1Tv2lviUJ9b4fBI3BVmBKgk2s6jxPzUGw';
