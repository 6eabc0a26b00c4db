import { KeyRotationService } from '../../../identity/keys/key-rotation.service.js';
import { KeysModule } from '../../../identity/keys/keys.module.js';
import type { SigningKey } from '../../../identity/keys/signing-key.entity.js';
import { SigningKeysService } from '../../../identity/keys/signing-keys.service.js';
import { OAuthModule } from '../../../identity/oauth/oauth.module.js';
import { TokenIssuanceService } from '../../../identity/oauth/token-issuance.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { ClockService } from '../../../platform/scheduling/clock.service.js';
import { RetentionService } from '../../../platform/scheduling/retention.service.js';
import { splitScope } from '../../../identity/scopes/scopes.js';
import { createUsageError } from '../../../platform/errors/domain-error.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

interface IssueOptions {
  app: string;
  account: string;
  scope: string;
}

/**
 * Issues a token pair without a consent. The issuer is `BASE_URL` of the command, which must be
 * that of the service.
 */
export async function issueTokens({ app: appId, account, scope }: IssueOptions): Promise<object> {
  const scopes = splitScope(scope);
  if (scopes.length === 0) throw createUsageError('--scope must name at least one scope.');
  return withApplication([MetricsModule, OAuthModule], async (app) => ({
    ...(await app.get(TokenIssuanceService).issueByOperator(appId, account, scopes)),
    issuer: app.get(Settings).BASE_URL,
  }));
}

/** Deletes expired rows. */
export function purgeExpiredRows({ confirmClock = false }: { confirmClock?: boolean }): Promise<object> {
  return withApplication([MetricsModule, OAuthModule], async (app) => {
    const retention = app.get(RetentionService);
    const now = await app.get(ClockService).startCleanUp(confirmClock);
    const total = await retention.countExpired(now);
    return withProgress({}, async (progress) => ({
      deleted: await retention.deleteExpired(now, {
        onProgress: (done) => progress.update(done, Math.max(done, total), 'rows'),
      }),
    }));
  });
}

/** Returns the signing keys, newest first. */
export function listKeys(): Promise<object[]> {
  return withApplication([KeysModule], (app) => Promise.resolve(app.get(SigningKeysService).list().map(toKeyOutput)));
}

/** Creates new signing keys. */
export function rotateKeys({ now = false }: { now?: boolean }): Promise<object[]> {
  return withApplication([KeysModule], async (app) =>
    (await app.get(KeyRotationService).rotate({ retireExisting: now })).map(toKeyOutput),
  );
}

function toKeyOutput({ kid, algorithm, createdAt }: Pick<SigningKey, 'kid' | 'algorithm' | 'createdAt'>): object {
  return { kid, algorithm, created_at: createdAt.toISOString() };
}
