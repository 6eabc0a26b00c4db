import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import { Settings } from '../../../platform/config/settings.js';
import { computeDigest, generateSecret } from '../../../platform/crypto/opaque-secret.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import type { App } from '../../apps/app.entity.js';
import { FailedCallsService } from '../../apps/failed-calls/failed-calls.service.js';
import { AccessTokensService } from '../../scopes/access-tokens.service.js';
import type { Resource } from '../../scopes/resources.js';
import { parseScope } from '../../scopes/scopes.js';
import {
  createInvalidGrantError,
  createMissingParamError,
  OAuthError,
  parseRequestedResource,
} from '../oauth-error.js';
import { type IdempotencyKey, parseIdempotencyKey, RefreshReplayStore } from '../refresh-replay.store.js';
import { REFRESH_TOKEN_REJECTION_MESSAGES, type StoredRefreshToken } from '../refresh-token-validity.js';
import { RefreshTokenService } from '../refresh-token.service.js';
import { type TokenRequestDto, type TokenResponse, toTokenResponse } from '../token.dto.js';
import { type UndoableAttempt, UncertainCommitsService } from '../uncertain-commits.service.js';
import type { Grant, GrantHeaders } from './grant.js';
import { type AccessTokenContent, decideRefresh, type RefreshDecision, type RefreshFacts } from './refresh-decision.js';

/**
 * Milliseconds for which a request is decided again. A rotation fails if the consent or the app's
 * registration changes at the same moment, or if another transaction has locked the token.
 */
const DECISION_TIMEOUT_MS = 10_000;

/** Milliseconds between two decisions about a request. The interval doubles each time. */
const MIN_RETRY_INTERVAL_MS = 5;
const MAX_RETRY_INTERVAL_MS = 200;

/** A validated refresh request. */
interface RefreshRequest {
  client: App;
  appId: string;
  /** The parameters `refresh_token`, `scope` and `resource`. */
  refreshToken: string;
  scope: string | undefined;
  resource: Resource | undefined;
  /** Thumbprint of the key of the DPoP proof, to which the access token is bound. */
  jkt: string | undefined;
  key: IdempotencyKey | undefined;
  /**
   * The refresh token of the response, in every attempt. So the request recognizes its own
   * rotation, if the connection broke while it was committed.
   */
  successor: string;
  successorDigest: string;
  /** The account of the presented token, once it was found. */
  accountId?: string | undefined;
  isRotationAttempted?: boolean;
}

/**
 * Exchanges a refresh token for an access token and the next refresh token (RFC 6749 §6): validate,
 * find, decide, execute, respond. The access token carries the granted scopes that are allowed now.
 */
@Injectable()
export class RefreshTokenGrant implements Grant {
  readonly grantType = 'refresh_token';
  private readonly replayedResponses: Counter;

  constructor(
    private readonly refreshTokens: RefreshTokenService,
    private readonly accessTokens: AccessTokensService,
    private readonly replays: RefreshReplayStore,
    private readonly uncertainCommits: UncertainCommitsService,
    private readonly failedCalls: FailedCallsService,
    private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    this.replayedResponses = metrics.registerCounter({
      name: 'street_art_replayed_responses_total',
      help: 'Responses of the token endpoint that were repeated for the same Idempotency-Key.',
    });
  }

  prepare(client: App, params: TokenRequestDto, headers: GrantHeaders): UndoableAttempt<TokenResponse> {
    const resource = parseRequestedResource(this.settings, params.resource);
    const request = validate(client, params, resource, headers);
    const { refreshToken, successorDigest, key, scope = '' } = request;
    this.failedCalls.recordUnknownScopes(client, 'POST /api/oauth/token', scope);
    return {
      run: () => this.refresh(request),
      undo: async () => {
        if (request.isRotationAttempted) await this.refreshTokens.undoRotation(refreshToken, successorDigest, key);
      },
      getSubject: () => ({ app_id: client.id, account_id: request.accountId }),
    };
  }

  /** Decides again until there is a response, because the state may change between the steps. */
  private async refresh(request: RefreshRequest): Promise<TokenResponse> {
    const startedAt = performance.now();
    let usedSince: number | undefined;
    for (let intervalMs = MIN_RETRY_INTERVAL_MS; ; intervalMs = Math.min(2 * intervalMs, MAX_RETRY_INTERVAL_MS)) {
      const facts = await this.find(request);
      const usedAt = facts.token?.usedAt ?? null;
      if (usedAt) usedSince ??= performance.now();
      const isWithinUndoTime = this.uncertainCommits.isWithinUndoTime(usedAt, usedSince ?? startedAt);
      const decision = decideRefresh({ ...facts, isWithinUndoTime }, request, new Date());
      const response = await this.execute(decision, request, facts);
      if (response) return response;
      const isTooLate = performance.now() > startedAt + DECISION_TIMEOUT_MS;
      if (decision.action === 'rotate' && isTooLate) throw createConcurrentChangeError();
      await sleep(intervalMs);
    }
  }

  /** Finds the presented token. For a used token, it also finds the successor. */
  private async find(request: RefreshRequest): Promise<RefreshFacts> {
    const token = await this.refreshTokens.find(request.refreshToken);
    request.accountId = token?.accountId;
    if (!token?.successorDigest) return { token };
    if (token.successorDigest === request.successorDigest) {
      const successor = await this.refreshTokens.findDurable(token.successorDigest);
      return { token, successor, successorText: request.successor, isOwnRotation: true };
    }
    const storedResponse = request.key && (await this.replays.find(request.key));
    const successor = await this.refreshTokens.findByDigest(token.successorDigest);
    return { token, successor, successorText: storedResponse?.refresh_token, storedResponse };
  }

  /** @returns undefined if the request must be decided again */
  private async execute(
    decision: RefreshDecision,
    request: RefreshRequest,
    { token, storedResponse }: RefreshFacts,
  ): Promise<TokenResponse | undefined> {
    switch (decision.action) {
      case 'rotate':
        return this.rotate(decision, request);
      case 'replay':
        return this.replay(decision, request.jkt, storedResponse);
      case 'wait':
        return undefined;
      case 'check-reuse':
        return this.checkReuse(request.client, token!);
      case 'reject':
        throw decision.error;
    }
  }

  /** @returns undefined if the token was not rotated: it changed, or is locked */
  private async rotate(
    { token, ...content }: Extract<RefreshDecision, { action: 'rotate' }>,
    request: RefreshRequest,
  ): Promise<TokenResponse | undefined> {
    const { key, successor, successorDigest, jkt } = request;
    const replayable = key && this.createResponse(token, successor, { ...content, jkt });
    const idempotentResponse = key && replayable && this.replays.encrypt(key, replayable);
    request.isRotationAttempted = true;
    const { result: isRotated, durable } = await this.refreshTokens.rotate({
      token,
      successorDigest,
      idempotentResponse,
    });
    if (!isRotated) return undefined;

    // Signed while the disk writes.
    const response = replayable ?? this.createResponse(token, successor, { ...content, jkt });
    await durable;
    return response;
  }

  /**
   * Responds with the successor that exists. If the stored access token has a scope that is not
   * allowed now, the response has a new one.
   */
  private replay(
    { successor, successorText, ...content }: Extract<RefreshDecision, { action: 'replay' }>,
    jkt: string | undefined,
    storedResponse: TokenResponse | undefined,
  ): TokenResponse {
    if (!storedResponse) return this.createResponse(successor, successorText, { ...content, jkt });
    this.replayedResponses.inc();
    const isAllowed = parseScope(storedResponse.scope).every((name) => content.scopes.includes(name));
    return isAllowed ? storedResponse : this.createResponse(successor, successorText, { ...content, jkt });
  }

  /**
   * Rejects a used token after its reuse is recorded.
   * @returns undefined if the token is valid again
   * @throws OAuthError `invalid_grant`
   */
  private async checkReuse(client: App, token: StoredRefreshToken): Promise<undefined> {
    const rejection = await this.refreshTokens.checkReuse(client, token);
    if (rejection) throw createInvalidGrantError(REFRESH_TOKEN_REJECTION_MESSAGES[rejection]);
  }

  private createResponse(
    { accountId, appId }: StoredRefreshToken,
    refreshToken: string,
    { scopes, resource, jkt }: AccessTokenContent & Pick<RefreshRequest, 'jkt'>,
  ): TokenResponse {
    const accessToken = this.accessTokens.sign(accountId, appId, scopes, resource, jkt);
    const { lifetimeSeconds } = this.accessTokens;
    return toTokenResponse({ accessToken, lifetimeSeconds, refreshToken, scopes, jkt });
  }
}

/** @throws OAuthError `invalid_request` */
function validate(
  client: App,
  params: TokenRequestDto,
  resource: Resource | undefined,
  { idempotencyKey, jkt }: GrantHeaders,
): RefreshRequest {
  const { refresh_token: refreshToken, scope } = params;
  if (refreshToken === undefined) throw createMissingParamError('refresh_token');
  const key = parseIdempotencyKey(client, { ...params, jkt }, idempotencyKey);
  const successor = generateSecret('sam_refresh');
  const successorDigest = computeDigest(successor);
  return { client, appId: client.id, refreshToken, scope, resource, jkt, key, successor, successorDigest };
}

function createConcurrentChangeError(): OAuthError {
  const description = 'The permissions of this app are changing at this moment. Repeat the request.';
  return new OAuthError('temporarily_unavailable', description, { retryAfterSeconds: 1 });
}
