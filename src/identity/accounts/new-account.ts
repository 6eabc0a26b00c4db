import { generateId } from '../../platform/database/ids.js';
import { createUsageError } from '../../platform/errors/domain-error.js';
import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { isHttpsUrl, isName } from '../../platform/validation/text.decorator.js';
import {
  type AccountWithEmail,
  type Role,
  ROLES,
  isEmailAddress,
  NO_BLOCK,
  normalizeUsernameOrEmail,
} from './account.entity.js';
import { hashPassword } from './password-hashing.js';
import { DELETED_USERNAME } from './person.dto.js';
import { isPasswordTooLong } from './password/password-rules.js';

/** Input for a new account. */
export interface NewAccount {
  username: string;
  email: string;
  name: string;
  password: string;
  /** https URL of the profile picture. */
  picture?: string | null;
  /** Whether the operator vouches for the e-mail address. */
  emailVerified?: boolean;
  /** Whether the person agrees to the license and the terms of the data. */
  agreesToTerms?: boolean;
  role?: Role;
  /** Ids of the regions in which the role is valid, or `*`; required for a role above `member`. */
  regions?: string[];
}

/**
 * Checks the input, without the cost of a password hash.
 * @param additionalErrors errors of the calling form, reported together with the errors found here
 * @throws InvalidFieldsError if a field is invalid
 * @throws DomainError invalid if the role is unknown, or the regions do not fit the role
 */
export function assertValidNewAccount(newAccount: NewAccount, additionalErrors: readonly FieldError[] = []): void {
  const { role = 'member', regions = [] } = newAccount;
  const fieldErrors = [...validateNewAccount(newAccount), ...additionalErrors];
  if (fieldErrors.length > 0) throw new InvalidFieldsError(fieldErrors);
  if (!ROLES.includes(role)) throw createUsageError(`--role must be one of ${ROLES.join(', ')}.`);
  assertRegionsOfRole(role, regions);
}

/**
 * Checks the input, hashes the password and returns the account, which is not stored yet.
 * @throws InvalidFieldsError if a field is invalid
 * @throws DomainError invalid if the role is unknown, or the regions do not fit the role
 */
export async function buildAccount(newAccount: NewAccount): Promise<AccountWithEmail> {
  assertValidNewAccount(newAccount);
  const { username, email, name, password, picture = null, emailVerified = false, agreesToTerms } = newAccount;
  const { role = 'member', regions = [] } = newAccount;
  const now = new Date();
  return {
    id: generateId('usr'),
    username,
    normalizedUsername: normalizeUsernameOrEmail(username),
    email,
    normalizedEmail: normalizeUsernameOrEmail(email),
    emailVerifiedAt: emailVerified ? now : null,
    name: name.trim(),
    picture,
    language: null,
    wantsDecisionMail: true,
    decisionsToldAt: null,
    passwordHash: await hashPassword(password),
    passwordChangedAt: now,
    termsAgreedAt: agreesToTerms ? now : null,
    role,
    regions,
    createdAt: now,
    updatedAt: now,
    ...NO_BLOCK,
    accessRemovedAt: null,
    deletedAt: null,
  };
}

/**
 * Checks that a role above `member` has regions, and that `member` has none. No role is valid
 * everywhere without a decision of the operator.
 * @throws DomainError invalid
 */
export function assertRegionsOfRole(role: Role, regions: string[]): void {
  const hasRegions = regions.length > 0;
  if (role === 'member' && hasRegions) {
    throw createUsageError('--region and --everywhere must not be given with --role member.');
  }
  if (role !== 'member' && !hasRegions) {
    throw createUsageError(`--region or --everywhere must be given with --role ${role}.`);
  }
}

function validateNewAccount({ username, email, name, password, picture }: NewAccount): FieldError[] {
  const errors: FieldError[] = [];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$/.test(username)) errors.push({ field: 'username', code: 'usernameInvalid' });
  if (normalizeUsernameOrEmail(username) === DELETED_USERNAME)
    errors.push({ field: 'username', code: 'usernameTaken' });
  if (!isName(name)) errors.push({ field: 'name', code: 'nameInvalid' });
  if (!isEmailAddress(email)) errors.push({ field: 'email', code: 'emailInvalid' });
  if (password.length === 0) errors.push({ field: 'password', code: 'passwordMissing' });
  if (isPasswordTooLong(password)) errors.push({ field: 'password', code: 'passwordTooLong' });
  if (picture != null && !isHttpsUrl(picture)) errors.push({ field: 'picture', code: 'pictureInvalid' });
  return errors;
}
