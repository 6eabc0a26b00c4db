import type { App } from '../../clients/app.entity.js';
import type { Scope } from '../../scopes/scopes.js';

/** Where an answer goes: an address that the app registered, and what the app knows its own request by. */
export interface RedirectTarget {
  app: App;
  redirectUri: string;
  state: string | undefined;
}

/** What an app asks for when it sends a person to us (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest extends RedirectTarget {
  scopes: Scope[];
  codeChallenge: string | null;
  nonce: string | null;
  prompt: Set<Prompt>;
  /** Seconds that the person's last proof of who they are may be old. */
  maxAge: number | undefined;
  /** The account that an `id_token_hint` is of. */
  hintedAccountId: string | undefined;
}

/** Whether a scope cannot be left out: who the person is, and what the app registered as required. */
export function isRequiredScope({ app }: RedirectTarget, scope: Scope): boolean {
  return scope === 'openid' || app.requiredScopes.includes(scope);
}

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];
