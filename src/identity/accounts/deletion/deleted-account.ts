import { type Account } from '../account.entity.js';
import { DUMMY_PASSWORD_HASH } from '../password-hashing.js';

/**
 * Returns the columns of a deleted account: nothing that identifies the person. The placeholder of
 * the username and e-mail address contains a colon, so that no person can choose it. The account is
 * also blocked, so that every check of a block rejects it.
 */
export function buildDeletedAccount(id: string, now: Date): Omit<Account, 'id' | 'createdAt'> {
  const placeholder = `deleted:${id}`;
  return {
    username: placeholder,
    normalizedUsername: placeholder,
    email: placeholder,
    normalizedEmail: placeholder,
    emailVerifiedAt: null,
    name: '',
    picture: null,
    language: null,
    passwordHash: DUMMY_PASSWORD_HASH,
    role: 'member',
    regions: [],
    updatedAt: now,
    blockedAt: now,
    blockedReason: null,
    deletedAt: now,
  };
}
