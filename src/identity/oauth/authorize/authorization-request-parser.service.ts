import { Injectable } from '@nestjs/common';
import type { App } from '../../clients/app.entity.js';
import { AppsStore } from '../../clients/apps.store.js';
import { isRegisteredRedirectUri } from '../../clients/redirect-uri.js';
import { FailedCallsService } from '../../clients/failed-calls/failed-calls.service.js';
import { getSingleParam } from '../../../platform/http/search-params.decorator.js';
import { IdTokensService } from '../../openid/id-tokens.service.js';
import { type Scope, parseScope } from '../../scopes/scopes.js';
import { PageError } from '../../../platform/views/page-error.js';
import { AuthorizationError } from './authorization-error.js';
import { type AuthorizationRequest, type Prompt, PROMPTS, type RedirectTarget } from './authorization-request.js';

/** Parameters of OpenID Connect Core §6 and §7.2.1 that ask for what we do not do, and how that is said. */
const UNSUPPORTED_PARAMS = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

/** Characters of a request that still travel through the sign-in page and back as an address. */
const MAX_REQUEST_LENGTH = 5000;

/** Reads what apps ask for. */
@Injectable()
export class AuthorizationRequestParser {
  constructor(
    private readonly apps: AppsStore,
    private readonly idTokens: IdTokensService,
    private readonly failedCalls: FailedCallsService,
  ) {}

  /**
   * Whom to answer, and where: nobody is sent to an address that this does not return (RFC 6749 §4.1.2.1).
   * @throws PageError where the app or its address is not known
   */
  async resolveRedirectTarget(params: URLSearchParams): Promise<RedirectTarget> {
    const app = await this.apps.find(getSingleParam(params, 'client_id') ?? '');
    if (app?.disabledAt) this.recordFailure(app, 'unauthorized_client', 'The app is disabled.');
    if (!app || app.disabledAt) throw new PageError(400, 'unknownApp', 'unknownAppHelp');
    const redirectUri = getSingleParam(params, 'redirect_uri');
    if (redirectUri === undefined || !isRegisteredRedirectUri(redirectUri, app.redirectUris)) {
      const compared = `Registered: ${app.redirectUris.join(' ')} Sent: ${redirectUri?.slice(0, 200) ?? 'none'}`;
      this.recordFailure(app, 'invalid_redirect_uri', `The redirect_uri is not registered, exactly so. ${compared}`);
      throw new PageError(400, 'invalidRedirectUri', 'invalidRedirectUriHelp');
    }
    return { app, redirectUri, state: getSingleParam(params, 'state') };
  }

  /** @throws AuthorizationError that goes back to the app */
  async parse(replyTo: RedirectTarget, params: URLSearchParams): Promise<AuthorizationRequest> {
    if (params.toString().length > MAX_REQUEST_LENGTH) {
      throw new AuthorizationError('invalid_request', `The request is longer than ${MAX_REQUEST_LENGTH} characters.`);
    }
    rejectRepeatedParams(params);
    rejectUnsupportedParams(params);
    return {
      ...replyTo,
      scopes: parseScopes(replyTo.app, params),
      codeChallenge: parseCodeChallenge(replyTo.app, params),
      nonce: parseNonce(params),
      prompt: parsePrompt(params),
      maxAge: parseMaxAge(params),
      hintedAccountId: await this.resolveHintedAccountId(params),
    };
  }

  /** Keeps for the app's developer why nobody was asked. */
  recordFailure(app: App, error: string, reason: string): void {
    // Anybody can ask in the name of an app: of each error only the last is kept, so that nobody fills its list.
    this.failedCalls.record(app.id, {
      endpoint: 'GET /api/oauth/authorize',
      errorCode: error,
      reason,
      deduplicationKey: error,
    });
  }

  private async resolveHintedAccountId(params: URLSearchParams): Promise<string | undefined> {
    const hint = getSingleParam(params, 'id_token_hint');
    if (hint === undefined) return undefined;
    const login = await this.idTokens.verifyHint(hint);
    if (!login) throw new AuthorizationError('invalid_request', 'The id_token_hint is not an id token of ours.');
    return login.accountId;
  }
}

function rejectRepeatedParams(params: URLSearchParams): void {
  const repeated = [...new Set(params.keys())].find((name) => params.getAll(name).length > 1);
  if (repeated === undefined) return;
  const name = /^[a-z_]+$/.test(repeated) ? repeated : 'of some name';
  throw new AuthorizationError('invalid_request', `The parameter ${name} was sent more than once.`);
}

function rejectUnsupportedParams(params: URLSearchParams): void {
  for (const [name, code] of UNSUPPORTED_PARAMS) {
    if (getSingleParam(params, name) !== undefined)
      throw new AuthorizationError(code, `The parameter ${name} is not supported.`);
  }
  const responseType = getSingleParam(params, 'response_type');
  if (responseType === undefined) throw new AuthorizationError('invalid_request', 'The response_type is missing.');
  if (responseType !== 'code') {
    throw new AuthorizationError('unsupported_response_type', 'The only response_type is code.');
  }
  if ((getSingleParam(params, 'response_mode') ?? 'query') !== 'query') {
    throw new AuthorizationError('invalid_request', 'The only response_mode is query.');
  }
}

function parseScopes(app: App, params: URLSearchParams): Scope[] {
  const asked = parseScope(getSingleParam(params, 'scope') ?? '');
  if (asked.length === 0) throw new AuthorizationError('invalid_scope', 'Say by scope what the app asks for.');
  const wrong = asked.find((name) => !(app.scopes as string[]).includes(name));
  if (wrong === undefined) return asked as Scope[];
  const name = /^[\w:.-]{1,40}$/.test(wrong) ? ` ${wrong}` : '';
  throw new AuthorizationError('invalid_scope', `This app is not registered for the scope${name}.`);
}

/** PKCE, by S256 alone (RFC 7636 §4.3, RFC 9700 §2.1.1). */
function parseCodeChallenge(app: App, params: URLSearchParams): string | null {
  const challenge = getSingleParam(params, 'code_challenge');
  const method = getSingleParam(params, 'code_challenge_method');
  if (challenge === undefined && method === undefined && !app.pkceRequired) return null;
  if (challenge === undefined) throw new AuthorizationError('invalid_request', 'The code_challenge is missing.');
  if (method !== 'S256') throw new AuthorizationError('invalid_request', 'The code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw new AuthorizationError('invalid_request', 'The code_challenge must be a SHA-256 in base64url.');
  }
  return challenge;
}

function parseNonce(params: URLSearchParams): string | null {
  const nonce = getSingleParam(params, 'nonce') ?? null;
  if (nonce?.includes('\0')) throw new AuthorizationError('invalid_request', 'The nonce holds a character NUL.');
  return nonce;
}

function parsePrompt(params: URLSearchParams): Set<Prompt> {
  const prompt = new Set((getSingleParam(params, 'prompt') ?? '').split(' ').filter(Boolean));
  if ([...prompt].some((name) => !(PROMPTS as readonly string[]).includes(name))) {
    throw new AuthorizationError('invalid_request', `The prompt takes ${PROMPTS.join(', ')}.`);
  }
  if (prompt.has('none') && prompt.size > 1) {
    throw new AuthorizationError('invalid_request', 'The prompt none goes with no other.');
  }
  return prompt as Set<Prompt>;
}

function parseMaxAge(params: URLSearchParams): number | undefined {
  const maxAge = getSingleParam(params, 'max_age');
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,10}$/.test(maxAge)) throw new AuthorizationError('invalid_request', 'The max_age is not in seconds.');
  return Number(maxAge);
}
