import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { isDescription, isHttpsUrl } from '../../platform/validation/text.decorator.js';
import { isScope, type Scope } from '../scopes/scopes.js';
import type { App, AppListing, ClientType } from './app.entity.js';
import { findBrokenAppNameRule } from './app-name.js';
import { computeNameSkeleton } from './name-skeleton.js';
import { validateRedirectUri } from './redirect-uri.js';

/** Settings of an app that its developer chooses. */
export type AppSettings = Pick<
  App,
  | 'name'
  | 'nameSkeleton'
  | 'description'
  | 'homePage'
  | 'privacyPolicy'
  | 'termsOfService'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'scopes'
  | 'requiredScopes'
  | 'idTokenAlg'
  | 'pkceRequired'
>;

/** Unvalidated settings. Scopes are arbitrary strings. */
export type AppSettingsInput = Pick<App, 'name' | 'redirectUris'> &
  Partial<
    Pick<
      App,
      | 'description'
      | 'homePage'
      | 'privacyPolicy'
      | 'termsOfService'
      | 'postLogoutRedirectUris'
      | 'idTokenAlg'
      | 'pkceRequired'
    >
  > & {
    scopes: string[];
    requiredScopes?: string[] | undefined;
    /** Whether the owner offers the app for `/apps`; undefined keeps the choice. */
    isOffered?: boolean;
  };

const MAX_REDIRECT_URIS = 20;
const MAX_REDIRECT_URI_LENGTH = 500;
const MAX_DESCRIPTION_LENGTH = 500;

/**
 * Validates and normalizes settings. A public client always uses PKCE (RFC 9700 §2.1.1).
 * @throws InvalidFieldsError with the errors of all fields
 */
export function parseAppSettings(input: AppSettingsInput, clientType: ClientType): AppSettings {
  const errors = validateAppSettings(input, clientType);
  if (errors.length > 0) throw new InvalidFieldsError(errors);
  const { name, description, redirectUris, postLogoutRedirectUris, scopes, requiredScopes } = input;
  return {
    name: name.trim(),
    nameSkeleton: computeNameSkeleton(name),
    description: description?.trim() || null,
    homePage: input.homePage || null,
    privacyPolicy: input.privacyPolicy || null,
    termsOfService: input.termsOfService || null,
    redirectUris: [...new Set(redirectUris)],
    postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
    scopes: [...new Set(scopes)] as Scope[],
    requiredScopes: [...new Set(requiredScopes)] as Scope[],
    idTokenAlg: input.idTokenAlg ?? 'RS256',
    pkceRequired: clientType === 'public' || (input.pkceRequired ?? true),
  };
}

/** Returns the errors of all fields, in the order of the form. */
export function validateAppSettings(input: AppSettingsInput, clientType: ClientType): FieldError[] {
  const { name, description, redirectUris, postLogoutRedirectUris = [], scopes } = input;
  const errors: FieldError[] = [];
  const nameRule = findBrokenAppNameRule(name);
  if (nameRule) errors.push({ field: 'name', code: nameRule });
  if (redirectUris.length === 0) errors.push({ field: 'redirectUris', code: 'redirectUriMissing' });
  errors.push(...validateRedirectUris('redirectUris', redirectUris, clientType));
  if (scopes.length === 0) errors.push({ field: 'scopes', code: 'scopeMissing' });
  errors.push(...validateScopes(input));
  if (description && !isDescription(description, MAX_DESCRIPTION_LENGTH)) {
    errors.push({ field: 'description', code: 'descriptionInvalid' });
  }
  if (input.isOffered && !description) errors.push({ field: 'description', code: 'descriptionMissing' });
  if (input.isOffered && !input.homePage) errors.push({ field: 'homePage', code: 'homePageMissing' });
  for (const field of ['homePage', 'privacyPolicy', 'termsOfService'] as const) {
    const url = input[field];
    if (url && !isHttpsUrl(url)) errors.push({ field, code: `${field}Invalid` });
  }
  errors.push(...validateRedirectUris('postLogoutRedirectUris', postLogoutRedirectUris, clientType));
  return errors;
}

function validateRedirectUris(field: string, uris: string[], clientType: ClientType): FieldError[] {
  if (uris.length > MAX_REDIRECT_URIS || uris.some(({ length }) => length > MAX_REDIRECT_URI_LENGTH)) {
    return [{ field, code: 'redirectUrisTooManyOrLong' }];
  }
  return uris.flatMap((uri) => {
    const error = validateRedirectUri(uri, clientType);
    return error ? [{ field, ...error }] : [];
  });
}

function validateScopes({ scopes, requiredScopes = [] }: AppSettingsInput): FieldError[] {
  return [...scopes, ...requiredScopes].flatMap((value): FieldError[] => {
    if (!isScope(value)) return [{ field: 'scopes', code: 'scopeUnknown', value }];
    return scopes.includes(value) ? [] : [{ field: 'scopes', code: 'requiredScopeNotRequested', value }];
  });
}

/**
 * Returns the listing of an app after a change of its settings. The operator approved the texts,
 * the link and the scopes that were offered, so other ones wait for approval again.
 */
export function resolveListing(app: App, settings: AppSettings, isOffered = app.listing !== 'none'): AppListing {
  if (!isOffered) return 'none';
  const isShownSame = (['name', 'description', 'homePage'] as const).every((field) => app[field] === settings[field]);
  const hasNewScope = settings.scopes.some((scope) => !app.scopes.includes(scope));
  return app.listing === 'approved' && isShownSame && !hasNewScope ? 'approved' : 'offered';
}
