import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import { AppsStore } from '../../identity/clients/apps.store.js';
import type { AuditEvent } from '../../platform/audit/audit-event.entity.js';
import { AuditQueryService } from '../../platform/audit/audit-query.service.js';
import { parseSince } from './time-options.js';
import { appCommand } from './command-runner.js';

interface AuditOptions {
  account?: string;
  app?: string;
  since?: string;
  limit: string;
}

export function buildAuditCommand(): Command {
  const command = new Command('audit')
    .description('who did what to whose access, the newest first')
    .option('--account <username>', 'what concerns a person')
    .option('--app <id>', 'what concerns an app')
    .option('--since <moment>', 'from a date on, such as 2026-11-21, or from so long ago, such as 24h or 7d')
    .option('--limit <count>', 'how many at most', '100');
  return appCommand<AuditOptions>(command, async (app, { account, app: appId, since, limit }) => {
    if (!/^[1-9]\d{0,4}$/.test(limit)) throw new Error('--limit takes a number from 1 to 99999.');
    const trail = {
      accountId: account === undefined ? undefined : (await app.get(AccountsStore).getByLogin(account)).id,
      appId: appId === undefined ? undefined : (await app.get(AppsStore).get(appId)).id,
      since: since === undefined ? undefined : parseSince(since),
    };
    const { data } = await app.get(AuditQueryService).list(trail, { limit: Number(limit) });
    const usernames = await loadUsernames(app, data);
    return data.map((event) => toAuditEventOutput(event, usernames));
  });
}

async function loadUsernames(app: INestApplicationContext, events: AuditEvent[]): Promise<Map<string, string>> {
  const ids = [...new Set(events.flatMap(({ accountId }) => accountId ?? []))];
  const accounts = await Promise.all(ids.map((id) => app.get(AccountsStore).get(id)));
  return new Map(accounts.map(({ id, username }) => [id, username]));
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
  };
}
