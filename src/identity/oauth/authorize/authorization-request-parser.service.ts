import { Injectable } from '@nestjs/common';
import { getSingleParam } from '../../../platform/http/search-params.decorator.js';
import { PageError } from '../../../platform/views/page-error.js';
import type { App } from '../../apps/app.entity.js';
import { AppsStore } from '../../apps/apps.store.js';
import { FailedCallsService, type Violation } from '../../apps/failed-calls/failed-calls.service.js';
import { isRegisteredRedirectUri } from '../../apps/redirect-uri.js';
import { IdTokensService } from '../../openid/id-tokens.service.js';
import { AuthorizationError } from './authorization-error.js';
import {
  parseCodeChallenge,
  parseMaxAge,
  parseNonce,
  parsePrompt,
  parseScopes,
  rejectRepeatedParams,
  rejectUnsupportedParams,
} from './authorization-params.js';
import type { AuthorizationRequest, RedirectTarget } from './authorization-request.js';

/** Maximum length of a request, so that it fits into the query of the sign-in page. */
const MAX_REQUEST_LENGTH = 5000;

/** Parses and validates authorization requests. */
@Injectable()
export class AuthorizationRequestParser {
  constructor(
    private readonly apps: AppsStore,
    private readonly idTokens: IdTokensService,
    private readonly failedCalls: FailedCallsService,
  ) {}

  /**
   * Returns the app and its validated redirect URI. No redirect goes to any other address (RFC 6749
   * §4.1.2.1).
   * @throws PageError 400 if the app is unknown or disabled, or the redirect URI is not registered
   */
  async resolveRedirectTarget(params: URLSearchParams): Promise<RedirectTarget> {
    const app = await this.apps.find(getSingleParam(params, 'client_id') ?? '');
    if (app?.disabledAt) this.recordFailure(app, 'unauthorized_client', 'The app is disabled.');
    if (!app || app.disabledAt) throw new PageError(400, 'unknownApp', 'unknownAppHelp');
    const redirectUri = getSingleParam(params, 'redirect_uri');
    if (redirectUri === undefined || !isRegisteredRedirectUri(redirectUri, app.redirectUris)) {
      this.recordInvalidRedirectUri(app, redirectUri);
      throw new PageError(400, 'invalidRedirectUri', 'invalidRedirectUriHelp');
    }
    return { app, redirectUri, state: getSingleParam(params, 'state') };
  }

  /** Parses the other parameters of the request. @throws AuthorizationError */
  async parse(target: RedirectTarget, params: URLSearchParams): Promise<AuthorizationRequest> {
    if (params.toString().length > MAX_REQUEST_LENGTH) {
      throw new AuthorizationError(
        'invalid_request',
        `The request must have at most ${MAX_REQUEST_LENGTH} characters.`,
      );
    }
    rejectRepeatedParams(params);
    rejectUnsupportedParams(params);
    return {
      ...target,
      scopes: parseScopes(target.app, params),
      codeChallenge: parseCodeChallenge(target.app, params),
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
    const endpoint = 'GET /api/oauth/authorize';
    this.failedCalls.record(app.id, { endpoint, errorCode, reason, ...violation });
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
    const claims = await this.idTokens.verifyHint(hint);
    if (!claims)
      throw new AuthorizationError('invalid_request', 'id_token_hint must be an ID token that this service issued.');
    return claims.accountId;
  }
}
