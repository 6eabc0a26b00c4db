import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { Settings } from '../../../platform/config/settings.js';
import { getClientNetworkPrefix } from '../../../platform/http/client-address.js';
import { findRawParam, getSingleParam, isTooLongQuery, MAX_QUERY_LENGTH } from '../../../platform/http/request-url.js';
import type { App } from '../../apps/app.entity.js';
import { ClientMetadataService } from '../../apps/client-metadata/client-metadata.service.js';
import { FailedCallsService, type Violation } from '../../apps/failed-calls/failed-calls.service.js';
import { isRegisteredRedirectUri } from '../../apps/redirect-uri.js';
import { IdTokenHintsService } from '../../openid/id-token-hints.service.js';
import { AuthorizationError } from './authorization-error.js';
import {
  type AuthorizationRequest,
  type Prompt,
  PROMPTS,
  type RedirectTarget,
  RESPONSE_MODES,
  type ResponseMode,
} from './authorization-request.js';
import { describeUnknownResource, listResourceUrls, parseResource, type Resource } from '../../scopes/resources.js';
import { isThumbprint } from '../../scopes/dpop-proof.js';
import { describeMissingScope, parseScope, type Scope } from '../../scopes/scopes.js';

/** The endpoint in the failed calls of an app. */
const ENDPOINT = 'GET /api/oauth/authorize';

/** Parses and validates authorization requests. */
@Injectable()
export class AuthorizationRequestParserService {
  constructor(
    private readonly clients: ClientMetadataService,
    private readonly hints: IdTokenHintsService,
    private readonly failedCalls: FailedCallsService,
    private readonly settings: Settings,
  ) {}

  /**
   * Returns the app and its validated redirect URI. No redirect goes to any other address (RFC 6749
   * §4.1.2.1).
   * @throws DomainError if the app is unknown or disabled, its document is rejected, or the
   *   redirect URI is not registered
   */
  async resolveRedirectTarget(query: string): Promise<RedirectTarget> {
    const params = new URLSearchParams(query);
    const app = await this.clients.findOrFetch(getSingleParam(params, 'client_id') ?? '', getClientNetworkPrefix());
    if (app?.disabledAt) this.recordFailure(app, 'unauthorized_client', 'The app is disabled.');
    if (!app || app.disabledAt) {
      throw new DomainError('invalid', 'unknown_app', 'client_id is not the id of an enabled app.');
    }
    const redirectUri = getSingleParam(params, 'redirect_uri');
    if (redirectUri === undefined || !isRegisteredRedirectUri(redirectUri, app.redirectUris)) {
      this.recordInvalidRedirectUri(app, redirectUri);
      throw new DomainError('invalid', 'invalid_redirect_uri', 'redirect_uri is not registered for the app.');
    }
    const hasState = getSingleParam(params, 'state') !== undefined;
    const rawState = hasState ? findRawParam(query, 'state') : undefined;
    return { app, redirectUri, rawState, responseMode: getResponseMode(params, redirectUri) };
  }

  /** Parses the other parameters of the request. @throws AuthorizationError */
  async parse(target: RedirectTarget, query: string): Promise<AuthorizationRequest> {
    const params = new URLSearchParams(query);
    rejectRepeatedParams(params);
    rejectUnsupportedParams(params);
    rejectUnsupportedResponseMode(target, params);
    this.failedCalls.recordUnknownScopes(target.app, ENDPOINT, getSingleParam(params, 'scope') ?? '');
    return {
      ...target,
      scopes: parseScopes(this.settings.BASE_URL, target.app, params),
      resources: parseResources(this.settings, params),
      codeChallenge: parseCodeChallenge(target.app, params),
      dpopJkt: parseDpopJkt(params),
      nonce: parseNonce(params),
      prompt: parsePrompt(params),
      maxAge: parseMaxAge(params),
      hintedAccountId: await this.resolveHintedAccountId(params),
    };
  }

  /**
   * Records a failed request for the app's developer. Requests are not authenticated, so the number
   * of rules is fixed: requests cannot fill the app's list.
   */
  recordFailure(app: App, errorCode: string, reason: string, violation: Violation = {}): void {
    this.failedCalls.record(app.id, { endpoint: ENDPOINT, errorCode, reason, ...violation });
  }

  private recordInvalidRedirectUri(app: App, redirectUri = ''): void {
    const reason = redirectUri
      ? 'redirect_uri is not registered. Register it exactly as the app sends it.'
      : 'redirect_uri is missing, empty or sent more than once. Send one of the registered URIs.';
    const accepted = { source: 'registered', values: app.redirectUris } as const;
    this.recordFailure(app, 'invalid_redirect_uri', reason, { accepted, sent: redirectUri });
  }

  private async resolveHintedAccountId(params: URLSearchParams): Promise<string | undefined> {
    const hint = getSingleParam(params, 'id_token_hint');
    if (hint === undefined) return undefined;
    const claims = await this.hints.verify(hint);
    if (!claims)
      throw new AuthorizationError('invalid_request', 'id_token_hint must be an ID token that this service issued.');
    return claims.accountId;
  }
}

/**
 * Parameters of OpenID Connect Core §6 and §7.2.1 that this service does not support, with their
 * error codes.
 */
const UNSUPPORTED_PARAMS = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

const MISSING_CODE_CHALLENGE =
  'code_challenge is missing. This service requires PKCE with S256; enable it in your OAuth library.';

/** @throws AuthorizationError */
export function rejectLongQuery(query: string): void {
  if (!isTooLongQuery(query)) return;
  throw new AuthorizationError('invalid_request', `The request must have at most ${MAX_QUERY_LENGTH} characters.`);
}

/**
 * The parameters of RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9449 §10 and OpenID Connect Core §3.1.2.1,
 * §5.2, §5.5, §6 and §7.2.1 that occur at most once. `resource` can be repeated (RFC 8707 §2), and
 * so can unknown parameters, which are ignored.
 */
const SINGLE_PARAMS = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state'],
  ...['code_challenge', 'code_challenge_method', 'dpop_jkt'],
  ...['response_mode', 'nonce', 'display', 'prompt', 'max_age', 'ui_locales', 'id_token_hint', 'login_hint'],
  ...['acr_values', 'claims', 'claims_locales', 'request', 'request_uri', 'registration'],
];

/** @throws AuthorizationError if a known parameter was sent more than once (RFC 6749 §3.1) */
export function rejectRepeatedParams(params: URLSearchParams): void {
  const repeated = SINGLE_PARAMS.find((name) => params.getAll(name).length > 1);
  if (repeated === undefined) return;
  throw new AuthorizationError('invalid_request', `${repeated} was sent more than once. Send it once.`, {
    rule: 'repeated parameter',
    sent: repeated,
  });
}

/** @throws AuthorizationError if the request uses an unsupported parameter or response type */
export function rejectUnsupportedParams(params: URLSearchParams): void {
  for (const [name, code] of UNSUPPORTED_PARAMS) {
    if (getSingleParam(params, name) !== undefined) {
      throw new AuthorizationError(
        code,
        `${name} is not supported. Remove it, and send all values as parameters of the request.`,
      );
    }
  }
  const responseType = getSingleParam(params, 'response_type');
  if (responseType === undefined)
    throw new AuthorizationError('invalid_request', 'response_type is missing. It must be code.');
  if (responseType !== 'code') {
    const description = 'response_type must be code. This service supports only the authorization code flow.';
    throw new AuthorizationError('unsupported_response_type', description, {
      accepted: { source: 'supported', values: ['code'] },
      sent: responseType,
    });
  }
}

/** Returns the mode of the response, also of an error about the mode. */
function getResponseMode(params: URLSearchParams, redirectUri: string): ResponseMode {
  const canTakeForms = /^https?:/.test(redirectUri);
  return canTakeForms && getSingleParam(params, 'response_mode') === 'form_post' ? 'form_post' : 'query';
}

/** @throws AuthorizationError if the redirect URI cannot get the response in the requested mode */
function rejectUnsupportedResponseMode({ responseMode }: RedirectTarget, params: URLSearchParams): void {
  const sent = getSingleParam(params, 'response_mode') ?? 'query';
  if (sent === responseMode) return;
  const rule = 'response_mode must be query or form_post. form_post needs a redirect_uri with https or http.';
  throw new AuthorizationError('invalid_request', rule, {
    accepted: { source: 'supported', values: RESPONSE_MODES },
    sent,
  });
}

/** Parses `scope`. Unknown names are ignored. @throws AuthorizationError invalid_scope */
export function parseScopes(baseUrl: string, app: App, params: URLSearchParams): Scope[] {
  const scope = getSingleParam(params, 'scope') ?? '';
  const violation = { rule: 'scope', accepted: { source: 'registered', values: app.scopes }, sent: scope } as const;
  const scopes = parseScope(scope);
  if (scopes.length === 0) throw new AuthorizationError('invalid_scope', describeMissingScope(scope), violation);
  const unregistered = scopes.find((name) => !app.scopes.includes(name));
  if (unregistered === undefined) return scopes;
  const description = `The scope ${unregistered} is not registered for this app. Add it at ${baseUrl}/developer/apps/${app.id}.`;
  throw new AuthorizationError('invalid_scope', description, violation);
}

/** Parses `resource`, which can be repeated (RFC 8707 §2.1). @throws AuthorizationError */
export function parseResources(settings: Settings, params: URLSearchParams): Resource[] {
  const urls = params.getAll('resource').filter(Boolean);
  const resources = urls.map((sent) => {
    const resource = parseResource(settings, sent);
    if (resource !== undefined) return resource;
    const violation = { accepted: { source: 'supported', values: listResourceUrls(settings) }, sent } as const;
    throw new AuthorizationError('invalid_target', describeUnknownResource(settings), violation);
  });
  return resources.length === 0 ? ['api'] : [...new Set(resources)];
}

/**
 * Parses `code_challenge`, which must use S256 (RFC 7636 §4.3, RFC 9700 §2.1.1).
 * @throws AuthorizationError invalid_request
 */
export function parseCodeChallenge(app: App, params: URLSearchParams): string | null {
  const challenge = getSingleParam(params, 'code_challenge');
  const method = getSingleParam(params, 'code_challenge_method');
  if (challenge === undefined && method === undefined && !app.pkceRequired) return null;
  if (challenge === undefined) throw new AuthorizationError('invalid_request', MISSING_CODE_CHALLENGE);
  if (method !== 'S256') {
    throw new AuthorizationError('invalid_request', 'code_challenge_method must be S256.', {
      accepted: { source: 'supported', values: ['S256'] },
      sent: method ?? '',
    });
  }
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw new AuthorizationError(
      'invalid_request',
      'code_challenge must be the SHA-256 of the code_verifier in base64url: 43 characters.',
    );
  }
  return challenge;
}

/** Parses `dpop_jkt` (RFC 9449 §10). @throws AuthorizationError invalid_request */
function parseDpopJkt(params: URLSearchParams): string | null {
  const jkt = getSingleParam(params, 'dpop_jkt') ?? null;
  if (jkt !== null && !isThumbprint(jkt)) {
    const rule = 'dpop_jkt must be the SHA-256 thumbprint of the DPoP key in base64url: 43 characters.';
    throw new AuthorizationError('invalid_request', rule);
  }
  return jkt;
}

/**
 * Parses `nonce`.
 * @throws AuthorizationError invalid_request if it contains NUL, which PostgreSQL cannot store
 */
export function parseNonce(params: URLSearchParams): string | null {
  const nonce = getSingleParam(params, 'nonce') ?? null;
  if (nonce?.includes('\0'))
    throw new AuthorizationError('invalid_request', 'nonce must not contain the character NUL.');
  return nonce;
}

/** Parses `prompt`. @throws AuthorizationError invalid_request */
export function parsePrompt(params: URLSearchParams): Set<Prompt> {
  const sent = getSingleParam(params, 'prompt') ?? '';
  const prompt = new Set(sent.split(' ').filter(Boolean));
  if ([...prompt].some((name) => !(PROMPTS as readonly string[]).includes(name))) {
    throw new AuthorizationError('invalid_request', `prompt must contain only these values: ${PROMPTS.join(', ')}.`, {
      accepted: { source: 'supported', values: PROMPTS },
      sent,
    });
  }
  if (prompt.has('none') && prompt.size > 1) {
    throw new AuthorizationError('invalid_request', 'prompt must not combine none with other values.', { sent });
  }
  return prompt as Set<Prompt>;
}

/** Parses `max_age`, in seconds. @throws AuthorizationError invalid_request */
export function parseMaxAge(params: URLSearchParams): number | undefined {
  const maxAge = getSingleParam(params, 'max_age');
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,10}$/.test(maxAge)) {
    throw new AuthorizationError('invalid_request', 'max_age must be a whole number of seconds.', { sent: maxAge });
  }
  return Number(maxAge);
}
