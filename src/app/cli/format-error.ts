import { interpolate } from '../../platform/i18n/interpolate.js';
import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { toErrorMessage } from '../../platform/logging/logged-error.js';

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

/**
 * Returns the text that the command line prints for an error: the message, or one line for each
 * invalid field, which begins with the option that the operator typed.
 */
export function formatError(error: unknown): string {
  if (error instanceof InvalidFieldsError) return error.fieldErrors.map(formatFieldError).join('\n');
  return toErrorMessage(error);
}

function formatFieldError({ field, code, value = '', suggestion = '' }: FieldError): string {
  const option = field === 'postLogoutRedirectUris' ? '--post-logout-redirect-uri' : '--redirect-uri';
  return interpolate(RULES[code] ?? `${field} is invalid: ${code}.`, { option, value, suggestion });
}
