import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import type { Account } from '../account.entity.js';

/**
 * Rejects a change if the password changed after the person entered it.
 * @param current the locked account
 * @param verified the account whose password was verified
 * @param field the form field of the password
 * @throws InvalidFieldsError
 */
export function assertSamePassword(current: Account, verified: Account, field: string): void {
  if (current.passwordHash !== verified.passwordHash) {
    throw new InvalidFieldsError([{ field, code: 'passwordWrong' }]);
  }
}
