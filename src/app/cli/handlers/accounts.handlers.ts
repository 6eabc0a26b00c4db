import { CredentialsModule } from '../../../identity/accounts/password/credentials.module.js';
import { OperatorPasswordsService } from '../../../identity/accounts/password/operator-passwords.service.js';
import { ResetLinksService } from '../../../identity/accounts/password/reset-links.service.js';
import { type Account, ALL_REGIONS, type Role } from '../../../identity/accounts/account.entity.js';
import { AccountStoreModule } from '../../../identity/accounts/account-store.module.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { RegionsModule } from '../../../map/regions/regions.module.js';
import { RegionsService } from '../../../map/regions/regions.service.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { readPassword } from '../read-password.js';

interface CreateOptions {
  username: string;
  email: string;
  name: string;
  password?: string;
  picture?: string;
  role: Role;
  region?: string[];
  everywhere?: true;
}

type RoleOptions = Pick<CreateOptions, 'role' | 'region' | 'everywhere'>;

/** Creates an account whose e-mail address counts as verified. */
export async function createAccount({ region = [], everywhere, ...fields }: CreateOptions): Promise<object> {
  const password = fields.password ?? (await readPassword());
  return withApplication([AccountStoreModule, RegionsModule], async (app) => {
    const regions = await app.get(RegionsService).resolveIds(everywhere ? [ALL_REGIONS] : region);
    const { id, username, role } = await app
      .get(AccountsService)
      .create({ ...fields, password, regions, emailVerified: true });
    return { id, username, role };
  });
}

/** Changes the role of an account. */
export function setAccountRole({ role, region = [], everywhere }: RoleOptions, login = ''): Promise<object> {
  return withApplication([AccountStoreModule, RegionsModule], async (app) => {
    const regions = await app.get(RegionsService).resolveIds(everywhere ? [ALL_REGIONS] : region);
    const { id, username, ...changed } = await app.get(AccountsService).setRole(login, role, regions);
    return { id, username, role: changed.role, regions: changed.regions };
  });
}

/** Blocks an account. */
export function blockAccount({ reason }: { reason: string }, username = ''): Promise<object> {
  return withApplication([AccountStoreModule], async (app) =>
    toAccountOutput(await app.get(AccountsService).block(username, reason)),
  );
}

/** Ends the block of an account. */
export function unblockAccount(_: object, username = ''): Promise<object> {
  return withApplication([AccountStoreModule], async (app) =>
    toAccountOutput(await app.get(AccountsService).unblock(username)),
  );
}

/** Makes a link that sets a new password. */
export function createResetLink(_: object, username = ''): Promise<object> {
  return withApplication([MetricsModule, CredentialsModule], async (app) => {
    const { url, expiresAt } = await app.get(ResetLinksService).createForOperator(username);
    return { url, expires_at: expiresAt.toISOString() };
  });
}

/** Sets the password that standard input contains. */
export async function setPassword(_: object, username = ''): Promise<object> {
  const password = await readPassword();
  return withApplication([MetricsModule, CredentialsModule], async (app) => {
    const { id } = await app.get(OperatorPasswordsService).set(username, password);
    return { id };
  });
}

/** Returns one account. */
export function showAccount(_: object, username = ''): Promise<object> {
  return withApplication([AccountStoreModule], async (app) =>
    toAccountOutput(await app.get(AccountsStore).getByLogin(username)),
  );
}

/** Returns all accounts. */
export function listAccounts(): Promise<object[]> {
  return withApplication([AccountStoreModule], async (app) =>
    (await app.get(AccountsStore).list()).map(toAccountOutput),
  );
}

function toAccountOutput({ id, username, email, name, role, regions, blockedAt, blockedReason }: Account): object {
  const block = { blocked_at: blockedAt?.toISOString() ?? null, blocked_reason: blockedReason };
  return { id, username, email, name, role, regions, ...block };
}
