import { isDescription, isHttpsUrl, isName } from '../../platform/validation/text.decorator.js';
import { isScope, type Scope } from '../scopes/scopes.js';
import { type FieldError, FormValidationError } from '../../platform/i18n/form-validation-error.js';
import type { App } from './app.entity.js';
import { validateRedirectUri } from './redirect-uri.js';

/** What whoever registers an app says of it. */
export type AppSettings = Pick<
  App,
  | 'name'
  | 'description'
  | 'homePage'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'scopes'
  | 'requiredScopes'
  | 'idTokenAlg'
>;

/** The same as it was given, with names of scopes that may be none. */
export type AppSettingsInput = Pick<App, 'name' | 'redirectUris'> &
  Partial<Pick<App, 'description' | 'homePage' | 'postLogoutRedirectUris' | 'idTokenAlg'>> & {
    scopes: string[];
    requiredScopes?: string[] | undefined;
  };

const MAX_REDIRECT_URIS = 20;
const MAX_REDIRECT_URI_LENGTH = 500;

/** @throws Problems that name all that is not well-formed */
export function parseAppSettings(given: AppSettingsInput): AppSettings {
  const { description = null, homePage = null, postLogoutRedirectUris = [], requiredScopes = [] } = given;
  const settings = { ...given, description, homePage, postLogoutRedirectUris, requiredScopes };
  const problems = validateAppSettings(settings);
  if (problems.length > 0) throw new FormValidationError(problems);
  return {
    name: given.name.trim(),
    description: description?.trim() || null,
    homePage: homePage || null,
    redirectUris: [...new Set(given.redirectUris)],
    postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
    scopes: [...new Set(given.scopes)] as Scope[],
    requiredScopes: [...new Set(requiredScopes)] as Scope[],
    idTokenAlg: given.idTokenAlg ?? 'RS256',
  };
}

type CompleteAppSettingsInput = Required<Omit<AppSettingsInput, 'idTokenAlg' | 'requiredScopes'>> & {
  requiredScopes: string[];
};

function validateAppSettings(given: CompleteAppSettingsInput): FieldError[] {
  const { name, description, homePage, redirectUris, postLogoutRedirectUris, scopes, requiredScopes } = given;
  const problems: FieldError[] = [];
  if (!isName(name)) problems.push({ field: 'name', code: 'nameInvalid' });
  if (description && !isDescription(description, 500)) {
    problems.push({ field: 'description', code: 'descriptionInvalid' });
  }
  if (homePage && !isHttpsUrl(homePage)) problems.push({ field: 'homePage', code: 'homePageInvalid' });
  if (redirectUris.length === 0) problems.push({ field: 'redirectUris', code: 'redirectUriMissing' });
  problems.push(...validateRedirectUris('redirectUris', redirectUris));
  problems.push(...validateRedirectUris('postLogoutRedirectUris', postLogoutRedirectUris));
  if (scopes.length === 0) problems.push({ field: 'scopes', code: 'scopeMissing' });
  for (const value of [...scopes, ...requiredScopes]) {
    if (!isScope(value)) problems.push({ field: 'scopes', code: 'scopeUnknown', value });
    else if (!scopes.includes(value)) problems.push({ field: 'scopes', code: 'requiredScopeNotRequested', value });
  }
  return problems;
}

function validateRedirectUris(field: string, addresses: string[]): FieldError[] {
  if (addresses.length > MAX_REDIRECT_URIS || addresses.some(({ length }) => length > MAX_REDIRECT_URI_LENGTH)) {
    return [{ field, code: 'redirectUrisTooManyOrLong' }];
  }
  return addresses.flatMap((value) => {
    const code = validateRedirectUri(value);
    return code ? [{ field, code, value }] : [];
  });
}
