import { afterAll, beforeAll } from '@jest/globals';
import { hash as hashAtCost, verify as verifyAtCost } from 'argon2';
import { randomBytes } from 'node:crypto';
import { DUMMY_PASSWORD_HASH } from '../../src/identity/accounts/password-hashing.js';

/** The lowest cost of the library. */
const LOW_COST = { memoryCost: 8, parallelism: 1, timeCost: 2 };

const cheapDummyHash = await hashAtCost(randomBytes(32), LOW_COST);
let isCheap = true;

/** The functions of `argon2` that the service calls, at a low cost, so that sign-ins are fast. */
export function hash(password: string): Promise<string> {
  return hashAtCost(password, isCheap ? LOW_COST : {});
}

export function verify(passwordHash: string, password: string): Promise<boolean> {
  return verifyAtCost(isCheap && passwordHash === DUMMY_PASSWORD_HASH ? cheapDummyHash : passwordHash, password);
}

/** Uses the cost of the service in this test file. */
export function useProductionCost(): void {
  beforeAll(() => {
    isCheap = false;
  });
  afterAll(() => {
    isCheap = true;
  });
}
