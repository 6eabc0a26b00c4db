import type { App } from '../apps/app.entity.js';
import type { Scope } from '../scopes/scopes.js';
import type { Authorization } from './authorization.entity.js';
import type { Consent } from './consents/consent.entity.js';

/**
 * Returns the granted scopes that are allowed now: the app is still registered for them, and the
 * person still consents. Tokens of the operator have no consent.
 */
export function getAllowedScopes(
  { scopes, consentedAt }: Pick<Authorization, 'scopes' | 'consentedAt'>,
  app: Pick<App, 'scopes'>,
  consent: Pick<Consent, 'scopes'> | null,
): Scope[] {
  const consented = consentedAt === null ? scopes : (consent?.scopes ?? []);
  return scopes.filter((scope) => app.scopes.includes(scope) && consented.includes(scope));
}
