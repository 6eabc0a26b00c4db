import { CommanderError } from 'commander';
import { SettingsError } from '../../platform/config/secret-files.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { toErrorMessage } from '../../platform/logging/logged-error.js';

/** The exit codes of commands that failed. They are part of the interface of the command line. */
const EXIT_CODES = { refused: 1, wrongUsage: 2, databaseUnavailable: 3 } as const;

/** A failed command. */
export interface CommandFailure {
  exitCode: number;
  /** Names the failure for programs, in snake_case. */
  code: string;
  /** One sentence, or one line for each invalid value. */
  message: string;
}

/**
 * The rule that an option breaks, by the code of the field error. Pages have their own sentences
 * for the same codes, because their readers fill in a form. Codes that only pages use have no rule.
 */
const RULES: Partial<Record<FieldError['code'], string>> = {
  usernameInvalid:
    '--username must have 1 to 39 letters, digits, dots, hyphens or underscores, and start with a letter or digit.',
  usernameTaken: '--username must be unique: this username is taken.',
  emailInvalid: '--email must be an e-mail address, such as name@example.org.',
  emailTaken: '--email must be unique: another account has this e-mail address.',
  nameInvalid: '--name must have 1 to 100 visible characters.',
  nameTaken: '--name must not look like the name of another app.',
  nameReserved: '--name must not contain the name of the map.',
  nameScripts: '--name must have letters of one script only.',
  passwordMissing: 'The password must not be empty.',
  pictureInvalid: '--picture must be a URL that starts with https://.',
  passwordTooLong: 'The password must have at most 200 characters.',
  descriptionInvalid: '--description must have at most 500 visible characters.',
  homePageInvalid: '--home-page must be a URL that starts with https://.',
  privacyPolicyInvalid: '--privacy-policy must be a URL that starts with https://.',
  termsOfServiceInvalid: '--terms must be a URL that starts with https://.',
  redirectUriMissing: '{option} must be given at least once.',
  redirectUriInvalid: '{option} must be an absolute URI such as https://example.org/callback, not {value}.',
  redirectUriFragment: '{option} must not contain a fragment: remove # and the text after it from {value}.',
  redirectUriCredentials: '{option} must not contain a username or password. Remove them.',
  redirectUriWildcard: '{option} must not contain a wildcard: register each URI instead of {value}.',
  redirectUriInvisible: '{option} must not contain a space or an invisible character. Remove it from {value}.',
  redirectUriHost: '{option} must not have an extra dot in its host name. Remove it from {value}.',
  redirectUriRewritten: '{option} must have the form that browsers send: enter {suggestion} instead of {value}.',
  redirectUriInsecure: '{option} must use https, not {value}. Only 127.0.0.1, [::1] and localhost can use http.',
  redirectUriScheme:
    '{option} must use https or a reversed domain name as its scheme, such as org.example.app:/callback, not {value}.',
  redirectUriPrivateUse: '{option} must use https, not {value}. Only an app with --public can use a private scheme.',
  keepOldRunning: '--keep-old must wait until the old secret has expired.',
  keepOldInvalid: '--keep-old must be a duration such as 24h.',
  redirectUrisTooManyOrLong: '{option} can be given at most 20 times, with at most 500 characters each.',
  scopeMissing: '--scope must name at least one scope.',
  scopeUnknown: '--scope and --required-scope must name existing scopes: the scope {value} does not exist.',
  requiredScopeNotRequested: '--required-scope must name scopes of --scope: add {value} to --scope.',
};

/** Codes of fields that are well-formed, but in use by another account or app. */
const CONFLICTS: Partial<Record<FieldError['code'], string>> = {
  usernameTaken: 'username_taken',
  emailTaken: 'email_taken',
  nameTaken: 'name_taken',
};

const USAGE_HINT = 'Run the command with --help to see its arguments and options.';

/** Returns the exit code, the code and the message of the error that ended a command. */
export async function describeFailure(error: unknown): Promise<CommandFailure> {
  if (error instanceof CommanderError) return createWrongUsage(formatUsageError(error));
  if (error instanceof InvalidFieldsError) return describeInvalidFields(error);
  if (error instanceof DomainError && error.kind === 'invalid') return createWrongUsage(error.message);
  const message = toErrorMessage(error);
  if (error instanceof DomainError) return { exitCode: EXIT_CODES.refused, code: error.code, message };
  if (error instanceof SettingsError) return { exitCode: EXIT_CODES.refused, code: 'invalid_settings', message };
  // Loads TypeORM, which a wrong usage must not wait for.
  const { isDatabaseUnavailable } = await import('../../platform/database/database-unavailable.js');
  return isDatabaseUnavailable(error)
    ? { exitCode: EXIT_CODES.databaseUnavailable, code: 'database_unavailable', message }
    : { exitCode: EXIT_CODES.refused, code: 'refused', message };
}

function createWrongUsage(message: string): CommandFailure {
  return { exitCode: EXIT_CODES.wrongUsage, code: 'wrong_usage', message };
}

/** Returns the message of an unknown or missing word as sentences. */
function formatUsageError({ code, message }: CommanderError): string {
  if (code === 'commander.help') return `A command is missing. ${USAGE_HINT}`;
  const text = message.replace(/^error: /, '').replace(/\s+\((.+)\)$/, '. $1');
  return `${text[0]!.toUpperCase()}${text.slice(1).replace(/[^.?]$/, '$&.')} ${USAGE_HINT}`;
}

/** Returns one line for each invalid field. It begins with the option that the operator typed. */
function describeInvalidFields({ fieldErrors }: InvalidFieldsError): CommandFailure {
  const message = fieldErrors.map(formatFieldError).join('\n');
  const conflict = CONFLICTS[fieldErrors[0]!.code];
  const isConflict = conflict !== undefined && fieldErrors.every((error) => error.code in CONFLICTS);
  return isConflict ? { exitCode: EXIT_CODES.refused, code: conflict, message } : createWrongUsage(message);
}

function formatFieldError({ field, code, value = '', suggestion = '' }: FieldError): string {
  const option = field === 'postLogoutRedirectUris' ? '--post-logout-redirect-uri' : '--redirect-uri';
  return interpolate(RULES[code] ?? `${field} is invalid: ${code}.`, { option, value, suggestion });
}
