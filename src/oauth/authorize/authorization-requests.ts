import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/app.entity.js';
import { AppsService } from '../../apps/apps.service.js';
import { isRegistered } from '../../apps/redirect-uri.js';
import { FailedCalls } from '../../failed-calls/failed-calls.service.js';
import { single } from '../../http/search-params.js';
import { IdTokens } from '../../openid/id-tokens.js';
import { type Scope, splitScope } from '../../scopes/catalogue.js';
import { PageError } from '../../views/page-error.js';
import { AuthorizationError } from './authorization-error.js';
import { type AuthorizationRequest, type Prompt, PROMPTS, type ReplyTo } from './authorization-request.js';

/** Parameters of OpenID Connect Core §6 and §7.2.1 that ask for what we do not do, and how that is said. */
const NOT_SUPPORTED = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

/** Characters of a request that still travel through the sign-in page and back as an address. */
const LONGEST = 5000;

/** Reads what apps ask for. */
@Injectable()
export class AuthorizationRequests {
  constructor(
    private readonly apps: AppsService,
    private readonly idTokens: IdTokens,
    private readonly failedCalls: FailedCalls,
  ) {}

  /**
   * Whom to answer, and where: nobody is sent to an address that this does not return (RFC 6749 §4.1.2.1).
   * @throws PageError where the app or its address is not known
   */
  async replyTo(params: URLSearchParams): Promise<ReplyTo> {
    const app = await this.apps.find(single(params, 'client_id') ?? '');
    if (app?.disabledAt) this.note(app, 'unauthorized_client', 'The app is disabled.');
    if (!app || app.disabledAt) throw new PageError(400, 'unknownApp', 'unknownAppHelp');
    const redirectUri = single(params, 'redirect_uri');
    if (redirectUri === undefined || !isRegistered(redirectUri, app.redirectUris)) {
      const compared = `Registered: ${app.redirectUris.join(' ')} Sent: ${redirectUri?.slice(0, 200) ?? 'none'}`;
      this.note(app, 'invalid_redirect_uri', `The redirect_uri is not registered, exactly so. ${compared}`);
      throw new PageError(400, 'wrongAddress', 'wrongAddressHelp');
    }
    return { app, redirectUri, state: single(params, 'state') };
  }

  /** @throws AuthorizationError that goes back to the app */
  async read(replyTo: ReplyTo, params: URLSearchParams): Promise<AuthorizationRequest> {
    if (params.toString().length > LONGEST) {
      throw new AuthorizationError('invalid_request', `The request is longer than ${LONGEST} characters.`);
    }
    refuseRepeated(params);
    refuseUnsupported(params);
    return {
      ...replyTo,
      scopes: scopesOf(replyTo.app, params),
      codeChallenge: codeChallengeOf(replyTo.app, params),
      nonce: nonceOf(params),
      prompt: promptOf(params),
      maxAge: maxAgeOf(params),
      hintedAccountId: await this.hintedAccount(params),
    };
  }

  /** Keeps for the app's developer why nobody was asked. */
  note(app: App, error: string, reason: string): void {
    // Anybody can ask in the name of an app: of each error only the last is kept, so that nobody fills its list.
    this.failedCalls.note(app.id, { call: 'GET /api/oauth/authorize', error, reason, kind: error });
  }

  private async hintedAccount(params: URLSearchParams): Promise<string | undefined> {
    const hint = single(params, 'id_token_hint');
    if (hint === undefined) return undefined;
    const login = await this.idTokens.readHint(hint);
    if (!login) throw new AuthorizationError('invalid_request', 'The id_token_hint is not an id token of ours.');
    return login.accountId;
  }
}

function refuseRepeated(params: URLSearchParams): void {
  const repeated = [...new Set(params.keys())].find((name) => params.getAll(name).length > 1);
  if (repeated === undefined) return;
  const name = /^[a-z_]+$/.test(repeated) ? repeated : 'of some name';
  throw new AuthorizationError('invalid_request', `The parameter ${name} was sent more than once.`);
}

function refuseUnsupported(params: URLSearchParams): void {
  for (const [name, code] of NOT_SUPPORTED) {
    if (single(params, name) !== undefined)
      throw new AuthorizationError(code, `The parameter ${name} is not supported.`);
  }
  const responseType = single(params, 'response_type');
  if (responseType === undefined) throw new AuthorizationError('invalid_request', 'The response_type is missing.');
  if (responseType !== 'code') {
    throw new AuthorizationError('unsupported_response_type', 'The only response_type is code.');
  }
  if ((single(params, 'response_mode') ?? 'query') !== 'query') {
    throw new AuthorizationError('invalid_request', 'The only response_mode is query.');
  }
}

function scopesOf(app: App, params: URLSearchParams): Scope[] {
  const asked = splitScope(single(params, 'scope') ?? '');
  if (asked.length === 0) throw new AuthorizationError('invalid_scope', 'Say by scope what the app asks for.');
  const wrong = asked.find((name) => !(app.scopes as string[]).includes(name));
  if (wrong === undefined) return asked as Scope[];
  const name = /^[\w:.-]{1,40}$/.test(wrong) ? ` ${wrong}` : '';
  throw new AuthorizationError('invalid_scope', `This app is not registered for the scope${name}.`);
}

/** PKCE, by S256 alone (RFC 7636 §4.3, RFC 9700 §2.1.1). */
function codeChallengeOf(app: App, params: URLSearchParams): string | null {
  const challenge = single(params, 'code_challenge');
  const method = single(params, 'code_challenge_method');
  if (challenge === undefined && method === undefined && !app.pkceRequired) return null;
  if (challenge === undefined) throw new AuthorizationError('invalid_request', 'The code_challenge is missing.');
  if (method !== 'S256') throw new AuthorizationError('invalid_request', 'The code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw new AuthorizationError('invalid_request', 'The code_challenge must be a SHA-256 in base64url.');
  }
  return challenge;
}

function nonceOf(params: URLSearchParams): string | null {
  const nonce = single(params, 'nonce') ?? null;
  if (nonce?.includes('\0')) throw new AuthorizationError('invalid_request', 'The nonce holds a character NUL.');
  return nonce;
}

function promptOf(params: URLSearchParams): Set<Prompt> {
  const prompt = new Set((single(params, 'prompt') ?? '').split(' ').filter(Boolean));
  if ([...prompt].some((name) => !(PROMPTS as readonly string[]).includes(name))) {
    throw new AuthorizationError('invalid_request', `The prompt takes ${PROMPTS.join(', ')}.`);
  }
  if (prompt.has('none') && prompt.size > 1) {
    throw new AuthorizationError('invalid_request', 'The prompt none goes with no other.');
  }
  return prompt as Set<Prompt>;
}

function maxAgeOf(params: URLSearchParams): number | undefined {
  const maxAge = single(params, 'max_age');
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,10}$/.test(maxAge)) throw new AuthorizationError('invalid_request', 'The max_age is not in seconds.');
  return Number(maxAge);
}
