import type { App } from '../../apps/app.entity.js';
import { getRedirectHost, isInterceptableRedirectUri } from '../../apps/redirect-uri.js';
import type { Resource } from '../../scopes/resources.js';
import type { Scope } from '../../scopes/scopes.js';
import type { ShownApp } from '../consents/consents.service.js';
import type { Session } from '../../accounts/sessions/session.entity.js';

/** Recipient of the authorization response: a registered redirect URI. */
export interface RedirectTarget {
  app: App;
  redirectUri: string;
  /** The parameter `state` of the request, which the response repeats in the same encoding. */
  rawState: string | undefined;
  responseMode: ResponseMode;
}

/**
 * How the app gets the response: in the query of the redirect URI, or in a form that the browser
 * posts to it (OAuth 2.0 Form Post Response Mode).
 */
export const RESPONSE_MODES = ['query', 'form_post'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** An authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest extends RedirectTarget {
  scopes: Scope[];
  resources: Resource[];
  codeChallenge: string | null;
  /** Thumbprint of the key whose proof the token request must have (RFC 9449 §10). */
  dpopJkt: string | null;
  nonce: string | null;
  prompt: Set<Prompt>;
  /** Maximum age of the authentication, in seconds. */
  maxAge: number | undefined;
  /** Account of the `id_token_hint`. */
  hintedAccountId: string | undefined;
}

/**
 * Whether the person cannot leave out the scope: `openid`, and scopes that the app registered as
 * required.
 */
export function isRequiredScope({ app }: RedirectTarget, scope: Scope): boolean {
  return scope === 'openid' || app.requiredScopes.includes(scope);
}

/** Returns the name and redirect host of the app, as the consent page shows them. */
export function getShownApp({ app, redirectUri }: RedirectTarget): ShownApp {
  return { name: app.name, host: getRedirectHost(redirectUri) };
}

/**
 * Whether the consent page is shown even if the person consented before: on request, and to a
 * public client whose response another program on the device could receive (RFC 8252 §8.6).
 */
export function mustShowConsentPage({ app, redirectUri, prompt }: AuthorizationRequest): boolean {
  return prompt.has('consent') || (app.clientType === 'public' && isInterceptableRedirectUri(redirectUri));
}

/** Values of `prompt` (OpenID Connect Core §3.1.2.1). */
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** Age of a sign-in on behalf of the request that satisfies any `max_age`, including 0. */
const REAUTHENTICATION_GRACE_MS = 60_000;

/**
 * Whether the request requires another sign-in (OpenID Connect Core §3.1.2.1): because of its
 * `prompt`, because the authentication is older than its `max_age`, or because its `id_token_hint`
 * names another account.
 * @param requestedAt time of the first request
 */
export function requiresReauthentication(request: AuthorizationRequest, session: Session, requestedAt: Date): boolean {
  const { prompt, maxAge } = request;
  const isPrompted = prompt.has('login') || prompt.has('select_account');
  const isSignedInSince = session.authTime >= requestedAt;
  const ageMs = Date.now() - session.authTime.getTime();
  const isFresh = isSignedInSince && ageMs < REAUTHENTICATION_GRACE_MS;
  const isTooOld = maxAge !== undefined && ageMs > maxAge * 1000 && !isFresh;
  return (isPrompted && !isSignedInSince) || isTooOld || isOtherAccount(request, session);
}

/** Whether the `id_token_hint` names another account than the session's. */
export function isOtherAccount({ hintedAccountId }: AuthorizationRequest, session: Session): boolean {
  return hintedAccountId !== undefined && hintedAccountId !== session.accountId;
}
