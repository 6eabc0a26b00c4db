import { AppModule } from '../../../app.module.js';
import { AccountDeletionService } from '../../../identity/accounts/deletion/account-deletion.service.js';
import { AccountExportService } from '../../../identity/accounts/export/account-export.service.js';
import { AccountsModule } from '../../../identity/accounts/accounts.module.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { formatBrowserName } from '../../../identity/accounts/sessions/browser-name.js';
import type { Session } from '../../../identity/accounts/sessions/session.entity.js';
import { SessionsService } from '../../../identity/accounts/sessions/sessions.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { toNetworkPrefix } from '../../../platform/http/network-prefix.js';
import { withApplication } from '../application-context.js';

/** Returns the sessions of an account, and ends them with `--end`. */
export function listSessions({ end }: { end?: true }, username = ''): Promise<object[]> {
  return withApplication([AccountsModule], async (app) => {
    const { id } = await app.get(AccountsStore).getByLogin(username);
    const sessions = app.get(SessionsService);
    const listed = await sessions.list(id);
    if (end) await app.get(TransactionService).run((tx) => sessions.endAll(tx, id));
    return listed.map(toSessionOutput);
  });
}

/**
 * Returns all data about a person. The application has all modules, because each exports its own.
 */
export function exportAccount(_: object, username = ''): Promise<object> {
  return withApplication([AppModule], async (app) => {
    const { id } = await app.get(AccountsStore).getByLogin(username);
    return app.get(AccountExportService).export(id);
  });
}

/** Deletes an account. The application has all modules, because each deletes its own data. */
export function deleteAccount(_: object, username = ''): Promise<object> {
  return withApplication([AppModule], async (app) => {
    const account = await app.get(AccountsStore).getByLogin(username);
    await app.get(AccountDeletionService).delete(account);
    return { id: account.id };
  });
}

function toSessionOutput({ id, userAgent, ipAddress, createdAt, lastSeenAt }: Session): object {
  return {
    id,
    browser: formatBrowserName(userAgent),
    network: ipAddress && toNetworkPrefix(ipAddress),
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  };
}
