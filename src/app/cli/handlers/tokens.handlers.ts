import { OAuthModule } from '../../../identity/oauth/oauth.module.js';
import { TokenIssuanceService } from '../../../identity/oauth/token-issuance.service.js';
import { RetentionService } from '../../../platform/scheduling/retention.service.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

interface IssueOptions {
  app: string;
  account: string;
  scope: string;
}

/** Issues a token pair without a consent. */
export function issueTokens({ app: appId, account, scope }: IssueOptions): Promise<object> {
  return withApplication([MetricsModule, OAuthModule], (app) =>
    app.get(TokenIssuanceService).issueByOperator(appId, account, scope),
  );
}

/** Deletes expired rows. */
export function purgeExpiredRows(): Promise<object> {
  return withApplication([MetricsModule, OAuthModule], async (app) => {
    const retention = app.get(RetentionService);
    const total = await retention.countExpired();
    return withProgress({}, async (progress) => ({
      deleted: await retention.deleteExpired({
        onProgress: (done) => progress.update(done, Math.max(done, total), 'rows'),
      }),
    }));
  });
}
