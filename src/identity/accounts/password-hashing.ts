import { hash, verify } from 'argon2';
import pLimit from 'p-limit';

/** Hashes two at a time: Node has four threads for all that takes long, and the disk must not wait for passwords. */
const limitConcurrency = pLimit(2);

/**
 * Hashes a person's password by argon2id with a random salt, at the library's cost (64 MiB, 3 passes), which is above
 * what RFC 9106 §4 and OWASP recommend for logging in.
 * @returns the PHC string: algorithm, cost, salt and hash
 */
export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password.normalize('NFC')));
}

/** Whether this is the password that was hashed. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return limitConcurrency(() => verify(passwordHash, password.normalize('NFC')));
}

/** A hash that no password is known to have, at the same cost: what is compared where there is no account. */
export const DUMMY_PASSWORD_HASH =
  '$argon2id$v=19$m=65536,p=4,t=3$aHEcioin7CrlxVhS5HISlA$Z4IalYTcZh1Tv2lviUJ9b4fBI3BVmBKgk2s6jxPzUGw';
