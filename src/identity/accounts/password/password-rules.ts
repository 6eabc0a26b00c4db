import { type FieldError, InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import type { Account } from '../account.entity.js';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

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
  const texts = [username, email ?? '', name, ...(email ?? '').split('@'), ...name.split(/\s+/)];
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

/**
 * Minimum score of a password, from 0 to 4: more than a million guesses. The limits of sign-in
 * attempts allow far fewer.
 */
const MIN_PASSWORD_SCORE = 2;

/** Characters that are rated. More of them only make a password harder to guess. */
const MAX_RATED_LENGTH = 40;

/** Limit of replaced characters that are tried (`3` for `e`). It bounds the time of a rating. */
const MAX_SUBSTITUTIONS = 8;

/** Limit of characters of one personal text. */
const MAX_PERSONAL_TEXT_LENGTH = 60;

/** Words about this service, which are easy to guess here. */
const SERVICE_WORDS = ['streetart', 'street art', 'street art map'];

/** Why a password is easy to guess. */
export type PasswordWeakness = 'common' | 'pattern' | 'personal' | 'other';

/** The weaknesses behind the warnings of the rater. */
const WEAKNESSES: Record<string, PasswordWeakness> = {
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  straightRow: 'pattern',
  keyPattern: 'pattern',
  simpleRepeat: 'pattern',
  extendedRepeat: 'pattern',
  sequences: 'pattern',
  userInputs: 'personal',
};

let raterPromise: Promise<ZxcvbnFactory> | undefined;

/**
 * Finds out whether a password is easy to guess, with lists of common passwords, words and names.
 * The first call loads the lists: about 30 MB of memory, and half a second.
 * @param personalTexts texts about the person, which an attacker tries first
 * @returns undefined if the password is hard to guess
 */
export async function findPasswordWeakness(
  password: string,
  personalTexts: string[],
): Promise<PasswordWeakness | undefined> {
  raterPromise ??= loadRater();
  const rater = await raterPromise;
  const texts = personalTexts.filter((text) => text !== '').map((text) => text.slice(0, MAX_PERSONAL_TEXT_LENGTH));
  const { score, feedback } = rater.check(password.slice(0, MAX_RATED_LENGTH), [...texts, ...SERVICE_WORDS]);
  return score < MIN_PASSWORD_SCORE ? (WEAKNESSES[feedback.warning ?? ''] ?? 'other') : undefined;
}

async function loadRater(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
    maxLength: MAX_RATED_LENGTH,
  });
}
