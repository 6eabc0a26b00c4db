import { describe, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword, DUMMY_PASSWORD_HASH } from '../../src/identity/accounts/password-hashing.js';
import { useProductionCost } from '../support/argon2.js';

describe('Password hash', () => {
  useProductionCost();

  it('is argon2id with a random salt, and matches the password in any Unicode normal form', async () => {
    const [one, other] = await Promise.all([hashPassword('pássword'), hashPassword('pássword')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=65536,p=4,t=3\$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword(one, 'pássword'.normalize('NFD'))).toBe(true);
    expect(await verifyPassword(one, 'password')).toBe(false);
    expect(await verifyPassword(one, '')).toBe(false);
  });

  it('has the same cost for an unknown account as for a known one', async () => {
    const costOf = (hash: string): string[] => hash.split('$').slice(0, 4);
    expect(costOf(DUMMY_PASSWORD_HASH)).toEqual(costOf(await hashPassword('x')));
    expect(await verifyPassword(DUMMY_PASSWORD_HASH, '')).toBe(false);
  });
});
