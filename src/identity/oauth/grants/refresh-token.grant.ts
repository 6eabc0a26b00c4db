import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { computeDigest, generateSecret } from '../../../platform/crypto/opaque-secret.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import type { App } from '../../apps/app.entity.js';
import { AccessTokensService } from '../../scopes/access-tokens.service.js';
import { describeUnknownScope, isScope, parseScope, type Scope } from '../../scopes/scopes.js';
import { UncertainCommitsService } from '../uncertain-commits.service.js';
import { type IdempotencyKey, RefreshReplayStore, parseIdempotencyKey } from '../refresh-replay.store.js';
import { createMissingParamError, OAuthError } from '../oauth-error.js';
import { createInvalidGrantError, getRefreshTokenRejection, isValidRefreshToken } from '../refresh-token-rejection.js';
import { RefreshTokenService } from '../refresh-token.service.js';
import type { RefreshTokenRotation, StoredRefreshToken } from '../refresh-tokens.store.js';
import type { TokenRequestDto } from '../token-request.dto.js';
import { type TokenResponse, toTokenResponse } from '../token-response.dto.js';
import type { Grant } from './grant.js';

/**
 * Milliseconds for which a valid token is rotated again. A rotation fails if the consent or the
 * app's registration changes at the same moment, or if another transaction has locked the token.
 */
const ROTATION_TIMEOUT_MS = 10_000;

/** Milliseconds between two rotations of a token. The interval doubles each time. */
const MIN_RETRY_INTERVAL_MS = 5;
const MAX_RETRY_INTERVAL_MS = 200;

/** A refresh request. */
interface RefreshRequest {
  client: App;
  /** The parameters `refresh_token` and `scope`. */
  refreshToken: string;
  scope: string | undefined;
  key: IdempotencyKey | undefined;
  /**
   * The refresh token of the response, in every attempt. So the request recognizes its own
   * rotation, if the connection broke while it was committed.
   */
  successor: string;
  /** The last rotation that was attempted. */
  rotation?: RefreshTokenRotation;
}

/**
 * Exchanges a refresh token for an access token and the next refresh token (RFC 6749 §6). The
 * access token carries the granted scopes that are allowed now.
 */
@Injectable()
export class RefreshTokenGrant implements Grant {
  readonly grantType = 'refresh_token';

  constructor(
    private readonly refreshTokens: RefreshTokenService,
    private readonly accessTokens: AccessTokensService,
    private readonly replays: RefreshReplayStore,
    private readonly uncertainCommits: UncertainCommitsService,
    private readonly metrics: MetricsService,
  ) {}

  async exchange(client: App, params: TokenRequestDto, idempotencyKey?: string): Promise<TokenResponse> {
    const { refresh_token: refreshToken, scope } = params;
    if (refreshToken === undefined) throw createMissingParamError('refresh_token');
    const key = parseIdempotencyKey(refreshToken, scope, idempotencyKey);
    const request: RefreshRequest = { client, refreshToken, scope, key, successor: generateSecret('sam_refresh') };
    return this.uncertainCommits.resolve(() => this.refresh(request), {
      run: async () => request.rotation && this.refreshTokens.undoRotation(request.rotation),
      getSubject: () => ({ app_id: client.id, account_id: request.rotation?.token.accountId }),
    });
  }

  private async refresh(request: RefreshRequest): Promise<TokenResponse> {
    const { client, refreshToken, scope } = request;
    const startedAt = performance.now();
    let waitingSince: number | undefined;
    for (let intervalMs = MIN_RETRY_INTERVAL_MS; ; intervalMs = Math.min(2 * intervalMs, MAX_RETRY_INTERVAL_MS)) {
      const token = await this.refreshTokens.find(refreshToken);
      if (!token) throw createInvalidGrantError('unknown');
      if (token.appId !== client.id) throw createInvalidGrantError('client_mismatch');
      if (token.successorDigest === request.rotation?.successorDigest) return this.completeRotation(request);
      if (isValidRefreshToken(token)) {
        const response = await this.rotate(token, request);
        if (response) return response;
        if (performance.now() > startedAt + ROTATION_TIMEOUT_MS) throw createConcurrentChangeError();
      } else {
        const replayed = await this.replay(scope, request.key);
        if (replayed) return replayed;
        waitingSince ??= performance.now();
        if (!(await this.mayBeUndone(token, waitingSince))) await this.refreshTokens.rejectInvalid(client, token);
      }
      await sleep(intervalMs);
    }
  }

  /** Responds to a request whose rotation was committed although the connection broke. */
  private async completeRotation({ successor, scope }: RefreshRequest): Promise<TokenResponse> {
    const token = await this.refreshTokens.findDurable(successor);
    const rejection = token ? getRefreshTokenRejection(token, new Date()) : 'unknown';
    if (!token || rejection) throw createInvalidGrantError(rejection!);
    return this.createResponse(token, successor, selectScopes(token, scope));
  }

  /** Whether a used token may become valid again: its successor is new, and not used. */
  private async mayBeUndone({ successorDigest, usedAt }: StoredRefreshToken, waitingSince: number): Promise<boolean> {
    return (
      successorDigest !== null &&
      this.uncertainCommits.mayBeUndone(usedAt, waitingSince) &&
      (await this.refreshTokens.isUnused(successorDigest))
    );
  }

  /** @returns undefined if the token was not rotated: it changed, or is locked */
  private async rotate(token: StoredRefreshToken, request: RefreshRequest): Promise<TokenResponse | undefined> {
    const { key, successor, scope } = request;
    const scopes = selectScopes(token, scope);
    const replayable = key && this.createResponse(token, successor, scopes);
    request.rotation = {
      token,
      successorDigest: computeDigest(successor),
      idempotentResponse: key && replayable && this.replays.encrypt(key, replayable),
    };
    const { result: isRotated, durable } = await this.refreshTokens.rotate(request.rotation);
    if (!isRotated) return undefined;

    // Signed while the disk writes.
    const response = replayable ?? this.createResponse(token, successor, scopes);
    await durable;
    return response;
  }

  private createResponse(
    { accountId, appId }: StoredRefreshToken,
    refreshToken: string,
    scopes: Scope[],
  ): TokenResponse {
    const accessToken = this.accessTokens.sign(accountId, appId, scopes);
    return toTokenResponse({ accessToken, lifetimeSeconds: this.accessTokens.lifetimeSeconds, refreshToken, scopes });
  }

  /**
   * Repeats the response to a request with the same idempotency key. If the first access token has
   * a scope that was withdrawn since then, the response has a new one.
   * @returns undefined if no response is stored, or the client has used its refresh token
   */
  private async replay(scope: string | undefined, key: IdempotencyKey | undefined): Promise<TokenResponse | undefined> {
    const response = key && (await this.replays.find(key));
    const successor = response && (await this.refreshTokens.find(response.refresh_token));
    if (!successor) return undefined;
    const rejection = getRefreshTokenRejection(successor, new Date());
    // The key proves that the client sent the first request, so this is no reuse.
    if (rejection === 'account_blocked' || rejection === 'scopes_withdrawn') throw createInvalidGrantError(rejection);
    // A used successor proves that the client received the first response.
    if (rejection) return undefined;
    const scopes = selectScopes(successor, scope);
    this.metrics.replayedResponses.inc();
    const isAllowed = parseScope(response.scope).every((name) => (scopes as string[]).includes(name));
    return isAllowed ? response : this.createResponse(successor, response.refresh_token, scopes);
  }
}

/**
 * Returns the scopes of the access token: the allowed ones, or the requested subset of them (RFC
 * 6749 §6).
 * @throws OAuthError `invalid_scope`
 */
function selectScopes({ scopes, allowedScopes }: StoredRefreshToken, scope: string | undefined): Scope[] {
  if (scope === undefined) return allowedScopes;
  const requested = parseScope(scope);
  if (requested.length === 0) throw new OAuthError('invalid_scope', 'scope must name at least one scope.');
  const ungranted = requested.find((name) => !(scopes as string[]).includes(name));
  if (ungranted !== undefined) throw createUngrantedScopeError(ungranted, scope);
  const withdrawn = requested.find((name) => !(allowedScopes as string[]).includes(name));
  if (withdrawn !== undefined) throw createWithdrawnScopeError(withdrawn, scope);
  return allowedScopes.filter((name) => requested.includes(name));
}

/**
 * Creates the `invalid_scope` error for a scope that the person did not grant.
 * @param sent the parameter `scope`
 */
export function createUngrantedScopeError(name: string, sent: string): OAuthError {
  const fix = 'Request only granted scopes, or ask the person to authorize again.';
  const description = isScope(name) ? `The scope ${name} was not granted. ${fix}` : describeUnknownScope(name);
  return new OAuthError('invalid_scope', description, 400, {}, { violation: { sent } });
}

/**
 * Creates the `invalid_scope` error for a granted scope that is not allowed now.
 * @param sent the parameter `scope`
 */
export function createWithdrawnScopeError(name: string, sent: string): OAuthError {
  const cause = 'The person withdrew it, or the app is no longer registered for it.';
  const description = `The scope ${name} is not allowed now. ${cause} Remove it from scope.`;
  return new OAuthError('invalid_scope', description, 400, {}, { violation: { sent } });
}

function createConcurrentChangeError(): OAuthError {
  const description = 'The permissions of this app are changing at this moment. Repeat the request.';
  return new OAuthError('temporarily_unavailable', description, 503, { 'Retry-After': '1' });
}
