import { Injectable } from '@nestjs/common';
import type { App } from '../apps/app.entity.js';
import { FailedCalls } from '../failed-calls/failed-calls.service.js';
import { Metrics } from '../metrics/metrics.js';
import { AppCredentials } from './app-credentials.js';
import { OAuthError } from './oauth-error.js';
import { TokenLimits } from './token-limits.js';
import type { AppCredentialsRequest } from './token-request.js';

/** A request of an app to the token or revoke endpoint. */
export interface AppRequest {
  endpoint: 'token' | 'revoke';
  /** The grant that it asks for, by a name of ours. */
  grant: string;
  fields: AppCredentialsRequest;
  authorization: string | undefined;
}

/** What the token and revoke endpoints share: who asks, how often they may, and what is kept of how it went. */
@Injectable()
export class AppRequests {
  constructor(
    private readonly credentials: AppCredentials,
    private readonly limits: TokenLimits,
    private readonly failedCalls: FailedCalls,
    private readonly metrics: Metrics,
  ) {}

  async answer<T>({ endpoint, grant, fields, authorization }: AppRequest, step: (app: App) => Promise<T>): Promise<T> {
    const time = this.metrics.tokenRequests.startTimer({ endpoint, grant });
    let app: App | undefined;
    try {
      app = await this.credentials.verify(fields, authorization);
      this.limits.count(endpoint, app);
      const answer = await step(app);
      time({ error: 'none' });
      return answer;
    } catch (error) {
      this.note(endpoint, app?.id, error);
      const shown = this.limits.countWrong(endpoint, error, app);
      time({ error: shown instanceof OAuthError ? shown.code : 'server_error' });
      throw shown;
    }
  }

  /** For the app's developer; what is ours to mend is no failure of theirs. */
  private note(endpoint: string, knownAppId: string | undefined, error: unknown): void {
    if (!(error instanceof OAuthError)) return;
    const { code, description, about } = error;
    const reason = [description, about.detail].filter(Boolean).join(' ');
    this.failedCalls.note(knownAppId ?? about.appId, { call: `POST /api/oauth/${endpoint}`, error: code, reason });
  }
}
