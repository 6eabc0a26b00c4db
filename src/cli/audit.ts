import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { AccountsService } from '../accounts/accounts.service.js';
import { AppsService } from '../apps/apps.service.js';
import type { AuditEvent } from '../audit/audit-event.entity.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { readSince } from './moments.js';
import { does } from './run.js';

interface AuditOptions {
  account?: string;
  app?: string;
  since?: string;
  limit: string;
}

export function auditCommand(): Command {
  const command = new Command('audit')
    .description('who did what to whose access, the newest first')
    .option('--account <username>', 'what concerns a person')
    .option('--app <id>', 'what concerns an app')
    .option('--since <moment>', 'from a date on, such as 2026-11-21, or from so long ago, such as 24h or 7d')
    .option('--limit <count>', 'how many at most', '100');
  return does<AuditOptions>(command, async (app, { account, app: appId, since, limit }) => {
    if (!/^[1-9]\d{0,4}$/.test(limit)) throw new Error('--limit takes a number from 1 to 99999.');
    const trail = {
      accountId: account === undefined ? undefined : (await app.get(AccountsService).named(account)).id,
      appId: appId === undefined ? undefined : (await app.get(AppsService).get(appId)).id,
      since: since === undefined ? undefined : readSince(since),
    };
    const { data } = await app.get(AuditTrail).list(trail, { limit: Number(limit) });
    const usernames = await usernamesOf(app, data);
    return data.map((event) => shown(event, usernames));
  });
}

async function usernamesOf(app: INestApplicationContext, events: AuditEvent[]): Promise<Map<string, string>> {
  const ids = [...new Set(events.flatMap(({ accountId }) => accountId ?? []))];
  const accounts = await Promise.all(ids.map((id) => app.get(AccountsService).get(id)));
  return new Map(accounts.map(({ id, username }) => [id, username]));
}

function shown(event: AuditEvent, usernames: Map<string, string>): object {
  return {
    at: event.at.toISOString(),
    type: event.type,
    account: event.accountId && usernames.get(event.accountId),
    app: event.appId,
    authorization: event.authorizationId,
    detail: event.detail,
    from: event.fromAddress,
  };
}
