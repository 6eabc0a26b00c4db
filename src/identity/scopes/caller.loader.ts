import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Counter } from 'prom-client';
import { Settings } from '../../platform/config/settings.js';
import type { AuthenticatedRequest } from '../../platform/http/authenticated-request.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AppUseBufferService } from './app-use-buffer.service.js';
import {
  createAppDisabledError,
  createInvalidProofError,
  createMissingProofError,
  createOtherIssuerError,
  createOtherKeyError,
  createOtherResourceError,
  createRepeatedTokenError,
  createTokenExpiredError,
  createTokenInvalidError,
  createWrongSchemeError,
} from './bearer-token-errors.js';
import type { Caller, RequestWithCaller } from './caller.decorator.js';
import { DpopProofError } from './dpop-proof.js';
import { DpopProofsService } from './dpop-proofs.service.js';
import { DisabledAppsRegistry, EndedAccessRegistry } from './ended-callers.registry.js';
import { type Resource, toResourceUrl } from './resources.js';
import type { Scope } from './scopes.js';

/** An access token in the header `Authorization`. */
interface Credentials {
  scheme: 'Bearer' | 'DPoP';
  token: string;
}

/** Authenticates the access token of a request to a protected resource. */
@Injectable()
export class CallerLoader {
  private readonly missingScopes: Counter<'scope'>;

  constructor(
    private readonly accessTokens: AccessTokensService,
    private readonly endedAccess: EndedAccessRegistry,
    private readonly disabledApps: DisabledAppsRegistry,
    private readonly appUses: AppUseBufferService,
    private readonly proofs: DpopProofsService,
    private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    this.missingScopes = metrics.registerCounter({
      name: 'street_art_missing_scope_total',
      help: 'API requests that were rejected because the access token lacks this scope.',
      labelNames: ['scope'],
    });
  }

  /** Loads the caller of a Bearer token that was verified before. @throws ApiError as `load` */
  loadCached(request: Request, resource: Resource): Caller | undefined {
    const credentials = parseCredentials(request.headers.authorization);
    if (credentials?.scheme !== 'Bearer') return undefined;
    const caller = this.accessTokens.getCachedCaller(credentials.token, resource);
    return caller && caller.jkt === undefined ? this.accept(request, caller) : undefined;
  }

  /**
   * Loads the caller of a request.
   * @param formTokens tokens in the form (RFC 6750 §2.2)
   * @returns undefined without a token
   * @throws ApiError 400 for two tokens, 401 for a token that is not valid or whose access ended,
   *   403 for a disabled app
   */
  async load(request: Request, resource: Resource, formTokens: string[] = []): Promise<Caller | undefined> {
    const header = parseCredentials(request.headers.authorization);
    const sent = formTokens.map((token): Credentials => ({ scheme: 'Bearer', token }));
    const [credentials, ...others] = header ? [header, ...sent] : sent;
    if (others.length > 0) throw createRepeatedTokenError();
    if (!credentials) return undefined;
    const caller = await this.verify(credentials.token, resource);
    await this.verifyKey(request, credentials, caller);
    return this.accept(request, caller);
  }

  /** Counts a use of the app. @returns the scopes that the token lacks */
  findMissingScopes(caller: Caller, required: Scope[]): Scope[] {
    const missing = required.filter((scope) => !caller.scopes.has(scope));
    for (const scope of missing) this.missingScopes.inc({ scope });
    if (missing.length === 0) this.appUses.record(caller);
    return missing;
  }

  private accept(request: Request, caller: Caller): Caller {
    const authenticated: RequestWithCaller & AuthenticatedRequest = request;
    authenticated.caller = caller;
    authenticated.hasVerifiedToken = true;
    authenticated.clientId = caller.appId;
    authenticated.assertCallerActive = () => this.assertActive(caller);
    this.assertActive(caller);
    return caller;
  }

  private assertActive(caller: Caller): void {
    if (this.endedAccess.has(caller)) throw createTokenInvalidError();
    if (this.disabledApps.has(caller.appId)) throw createAppDisabledError();
  }

  private async verify(token: string, resource: Resource): Promise<Caller> {
    const result = await this.accessTokens.verify(token, resource);
    if (!('reason' in result)) return result;
    const { BASE_URL } = this.settings;
    switch (result.reason) {
      case 'expired':
        throw createTokenExpiredError();
      case 'other_issuer':
        throw createOtherIssuerError(result.issuer, BASE_URL);
      case 'other_resource':
        throw createOtherResourceError(toResourceUrl(BASE_URL, result.resource), toResourceUrl(BASE_URL, resource));
      case 'invalid':
        throw createTokenInvalidError();
    }
  }

  /**
   * Checks that a token that is bound to a key comes with a proof of that key, and any other as
   * Bearer (RFC 9449 §7.1).
   */
  private async verifyKey(request: Request, { scheme, token }: Credentials, { jkt }: Caller): Promise<void> {
    if (scheme === 'Bearer' && jkt === undefined) return;
    if (scheme === 'Bearer') throw createWrongSchemeError('DPoP');
    if (jkt === undefined) throw createWrongSchemeError('Bearer');
    const { headers, method, originalUrl } = request;
    const proof = headers['dpop'] as string | undefined;
    const sent = { proof, method, address: originalUrl, accessToken: token };
    const proven = await this.proofs.verify(sent).catch((error: unknown) => {
      throw error instanceof DpopProofError ? createInvalidProofError(error.message) : error;
    });
    if (proven === undefined) throw createMissingProofError();
    if (proven !== jkt) throw createOtherKeyError();
  }
}

/** Parses the header (RFC 6750 §2.1, RFC 9449 §7.1). @returns undefined for another scheme */
function parseCredentials(authorization = ''): Credentials | undefined {
  if (/^Bearer +/i.test(authorization))
    return { scheme: 'Bearer', token: authorization.slice('Bearer '.length).trim() };
  if (/^DPoP +/i.test(authorization)) return { scheme: 'DPoP', token: authorization.slice('DPoP '.length).trim() };
  return undefined;
}
