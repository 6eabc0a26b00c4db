import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { AppsModule } from '../../../identity/apps/apps.module.js';
import { AppsStore } from '../../../identity/apps/apps.store.js';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { AuditQueryService } from '../../../platform/audit/audit.service.js';
import { createUsageError } from '../../../platform/errors/domain-error.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { parseSince } from '../time-options.js';

interface AuditOptions {
  account?: string;
  app?: string;
  since?: string;
  limit: string;
}

/** Returns audit events, newest first. */
export async function listAuditEvents({
  account,
  app: appId,
  since: sinceText,
  limit,
}: AuditOptions): Promise<object[]> {
  if (!/^[1-9]\d{0,4}$/.test(limit)) throw createUsageError('--limit must be a number from 1 to 99999.');
  const since = sinceText === undefined ? undefined : parseSince(sinceText);
  return withApplication([MetricsModule, AppsModule, AuditModule], async (app) => {
    const accounts = app.get(AccountsStore);
    const filter = {
      accountId: account === undefined ? undefined : (await accounts.getByUsernameOrEmail(account)).id,
      appId: appId === undefined ? undefined : (await app.get(AppsStore).get(appId)).id,
      since,
    };
    const { data } = await app.get(AuditQueryService).list(filter, { limit: Number(limit) });
    const usernames = await loadUsernames(accounts, data);
    return data.map((event) => toAuditEventOutput(event, usernames));
  });
}

async function loadUsernames(accounts: AccountsStore, events: AuditEvent[]): Promise<Map<string, string>> {
  const ids = [...new Set(events.flatMap(({ accountId }) => accountId ?? []))];
  const loaded = await Promise.all(ids.map((id) => accounts.get(id)));
  return new Map(loaded.map(({ id, username }) => [id, username]));
}

function toAuditEventOutput(event: AuditEvent, usernames: Map<string, string>): object {
  return {
    at: event.occurredAt.toISOString(),
    type: event.type,
    account: event.accountId && usernames.get(event.accountId),
    app: event.appId,
    authorization: event.authorizationId,
    detail: event.detail,
    from: event.ipAddress,
    by_operator: event.byOperator,
  };
}
