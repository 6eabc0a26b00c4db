import { type FieldError, InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import type { Account } from '../account.entity.js';
import { findPasswordWeakness, type PasswordWeakness } from './password-strength.js';

/** Minimum length of a password that a person chooses, in code points. */
const MIN_PASSWORD_LENGTH = 10;

/** Maximum length of a password, in code points. */
const MAX_PASSWORD_LENGTH = 200;

const WEAKNESS_CODES = {
  common: 'passwordCommon',
  pattern: 'passwordPattern',
  personal: 'passwordPersonal',
  other: 'passwordTooEasy',
} as const satisfies Record<PasswordWeakness, FieldError['code']>;

/** Texts about the person, which are easy to guess. */
export type PersonalTexts = Pick<Account, 'username' | 'email' | 'name'>;

/** Whether a password has too many code points. */
export function isPasswordTooLong(password: string): boolean {
  return countCodePoints(password) > MAX_PASSWORD_LENGTH;
}

/**
 * Validates a password that a person chooses: its length, and how easily it is guessed (NIST SP
 * 800-63B §3.1.1.2). There are no rules about kinds of characters.
 * @param field the form field of the password
 */
export async function validateNewPassword(
  password: string,
  { username, email, name }: PersonalTexts,
  field = 'password',
): Promise<FieldError[]> {
  if (password === '') return [{ field, code: 'passwordMissing' }];
  if (countCodePoints(password) < MIN_PASSWORD_LENGTH) return [{ field, code: 'passwordTooShort' }];
  if (isPasswordTooLong(password)) return [{ field, code: 'passwordTooLong' }];
  const texts = [username, email, name, ...email.split('@'), ...name.split(/\s+/)];
  const weakness = await findPasswordWeakness(password, texts);
  return weakness ? [{ field, code: WEAKNESS_CODES[weakness] }] : [];
}

/** Validates like `validateNewPassword`. @throws InvalidFieldsError */
export async function assertNewPassword(password: string, personal: PersonalTexts, field?: string): Promise<void> {
  const errors = await validateNewPassword(password, personal, field);
  if (errors.length > 0) throw new InvalidFieldsError(errors);
}

/**
 * Validates a password that an operator sets, of 1 to 200 characters.
 * @throws InvalidFieldsError
 */
export function assertOperatorPassword(password: string): void {
  if (password === '') throw new InvalidFieldsError([{ field: 'password', code: 'passwordMissing' }]);
  if (isPasswordTooLong(password)) throw new InvalidFieldsError([{ field: 'password', code: 'passwordTooLong' }]);
}

function countCodePoints(password: string): number {
  return [...password.normalize('NFC')].length;
}
