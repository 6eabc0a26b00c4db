import { Injectable } from '@nestjs/common';
import type { App } from '../clients/app.entity.js';
import { FailedCallsService } from '../clients/failed-calls/failed-calls.service.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { ClientAuthentication } from './client-authentication.service.js';
import { OAuthError } from './oauth-error.js';
import { TokenRateLimiter } from './token-rate-limiter.service.js';
import type { ClientCredentialsRequest } from './token-request.dto.js';

/** A request of an app to the token or revoke endpoint. */
export interface ClientRequest {
  endpoint: 'token' | 'revoke';
  /** The grant that it asks for, by a name of ours. */
  grant: string;
  params: ClientCredentialsRequest;
  authorization: string | undefined;
}

/** What the token and revoke endpoints share: who asks, how often they may, and what is kept of how it went. */
@Injectable()
export class ClientAuthGuard {
  constructor(
    private readonly clientAuthentication: ClientAuthentication,
    private readonly rateLimiter: TokenRateLimiter,
    private readonly failedCalls: FailedCallsService,
    private readonly metrics: MetricsService,
  ) {}

  async handle<T>(
    { endpoint, grant, params, authorization }: ClientRequest,
    step: (app: App) => Promise<T>,
  ): Promise<T> {
    const time = this.metrics.tokenRequestDuration.startTimer({ endpoint, grant });
    let app: App | undefined;
    try {
      app = await this.clientAuthentication.authenticate(params, authorization);
      this.rateLimiter.consumeRequest(endpoint, app);
      const answer = await step(app);
      time({ error: 'none' });
      return answer;
    } catch (error) {
      this.recordFailure(endpoint, app?.id, error);
      const shown = this.rateLimiter.consumeFailure(endpoint, error, app);
      time({ error: shown instanceof OAuthError ? shown.code : 'server_error' });
      throw shown;
    }
  }

  /** For the app's developer; what is ours to mend is no failure of theirs. */
  private recordFailure(endpoint: string, knownAppId: string | undefined, error: unknown): void {
    if (!(error instanceof OAuthError)) return;
    const { code, description, diagnostics } = error;
    const reason = [description, diagnostics.detail].filter(Boolean).join(' ');
    this.failedCalls.record(knownAppId ?? diagnostics.appId, {
      endpoint: `POST /api/oauth/${endpoint}`,
      errorCode: code,
      reason,
    });
  }
}
