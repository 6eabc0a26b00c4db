import type { Type } from '@nestjs/common';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AccountsModule } from '../../../identity/accounts/accounts.module.js';
import { PasswordsService } from '../../../identity/accounts/password/passwords.service.js';
import { PasswordResetService } from '../../../identity/accounts/password/password-reset.service.js';
import { DeletionService } from '../../../identity/accounts/deletion/deletion.service.js';
import { ExportService } from '../../../identity/accounts/export/export.service.js';
import { AccountStoreModule } from '../../../identity/accounts/account-store.module.js';
import {
  type Account,
  ALL_REGIONS,
  isBlocked,
  NO_BLOCK,
  type Role,
} from '../../../identity/accounts/account.entity.js';
import { AccountsService, assertValidBlock } from '../../../identity/accounts/accounts.service.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import { assertRegionsOfRole, assertValidNewAccount } from '../../../identity/accounts/new-account.js';
import { assertOperatorPassword } from '../../../identity/accounts/password/password-rules.js';
import { formatBrowserName } from '../../../identity/accounts/sessions/browser-name.js';
import type { Session } from '../../../identity/accounts/sessions/session.entity.js';
import { SessionsService } from '../../../identity/accounts/sessions/sessions.service.js';
import { AppsModule } from '../../../identity/apps/apps.module.js';
import { EditsModule } from '../../../map/edits/edits.module.js';
import { EditWithdrawalsService } from '../../../map/edits/suggest/edit-withdrawals.service.js';
import { RegionsModule } from '../../../map/regions/regions.module.js';
import { RegionsService } from '../../../map/regions/regions.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { createUsageError } from '../../../platform/errors/domain-error.js';
import { toNetworkPrefix } from '../../../platform/http/client-address.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { createIfAbsent, type IfAbsentOption } from '../create-if-absent.js';
import type { CommandHandler } from '../run-handler.js';
import { parseUntil } from '../time-options.js';

interface CreateOptions extends IfAbsentOption {
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
export async function createAccount({ region = [], everywhere, ifAbsent, ...fields }: CreateOptions): Promise<object> {
  const password = fields.password ?? (await readPassword());
  const regionNames = everywhere ? [ALL_REGIONS] : region;
  assertValidNewAccount({ ...fields, password, regions: regionNames });
  return withApplication([AccountStoreModule, RegionsModule], async (app) => {
    const create = async (): Promise<Account> => {
      const regions = await app.get(RegionsService).resolveIds(regionNames);
      return app.get(AccountsService).create({ ...fields, password, regions, emailVerified: true });
    };
    const find = (): Promise<Account | null> => app.get(AccountsStore).findByUsernameOrEmail(fields.username);
    const { id, username, role } = await createIfAbsent({ ifAbsent }, create, find);
    return { id, username, role };
  });
}

/** Changes the role of an account. */
export async function setAccountRole({ role, region = [], everywhere }: RoleOptions, login = ''): Promise<object> {
  const regionNames = everywhere ? [ALL_REGIONS] : region;
  assertRegionsOfRole(role, regionNames);
  return withApplication([AccountStoreModule, RegionsModule], async (app) => {
    const regions = await app.get(RegionsService).resolveIds(regionNames);
    const { id, username, ...changed } = await app.get(AccountsService).setRole(login, role, regions);
    return { id, username, role: changed.role, regions: changed.regions };
  });
}

interface BlockOptions {
  reason: string;
  until?: string;
  withdrawEdits?: true;
}

/** Blocks an account, and with `--withdraw-edits` withdraws its open edits in the transaction. */
export async function blockAccount(
  { reason, until: untilText, withdrawEdits }: BlockOptions,
  username = '',
): Promise<object> {
  const until = untilText === undefined ? null : parseUntil(untilText);
  assertValidBlock(reason, until);
  if (!withdrawEdits)
    return withApplication([AccountStoreModule], async (app) =>
      toAccountOutput(await app.get(AccountsService).block(username, reason, until)),
    );
  return withApplication([MetricsModule, AppsModule, EditsModule], async (app) => {
    let count = 0;
    const account = await app.get(AccountsService).block(username, reason, until, async (tx, { id }) => {
      count = (await app.get(EditWithdrawalsService).withdrawAll(tx, id)).length;
      return `Withdrawn suggestions: ${count}.`;
    });
    return { ...toAccountOutput(account), withdrawn_edits: count };
  });
}

/** Ends the block of an account. */
export function unblockAccount(_: object, username = ''): Promise<object> {
  return withApplication([AccountStoreModule], async (app) =>
    toAccountOutput(await app.get(AccountsService).unblock(username)),
  );
}

/** Makes a link that sets a new password. */
export function createResetLink(_: object, username = ''): Promise<object> {
  return withApplication([MetricsModule, AccountsModule], async (app) => {
    const { url, expiresAt } = await app.get(PasswordResetService).createLinkForOperator(username);
    return { url, expires_at: expiresAt.toISOString() };
  });
}

/** Sets the password that standard input contains. */
export async function setPassword(_: object, username = ''): Promise<object> {
  const password = await readPassword();
  assertOperatorPassword(password);
  return withApplication([MetricsModule, AccountsModule], async (app) => {
    const { id } = await app.get(PasswordsService).setByOperator(username, password);
    return { id };
  });
}

/** Returns one account. */
export function showAccount(_: object, username = ''): Promise<object> {
  return withApplication([AccountStoreModule], async (app) =>
    toAccountOutput(await app.get(AccountsStore).getByUsernameOrEmail(username)),
  );
}

/** Returns all accounts. */
export function listAccounts(): Promise<object[]> {
  return withApplication([AccountStoreModule], async (app) =>
    (await app.get(AccountsStore).list()).map(toAccountOutput),
  );
}

/** Returns an account as commands print it. A block that has ended is none. */
function toAccountOutput(account: Account): object {
  const { id, username, email, name, role, regions } = account;
  const { blockedAt, blockedReason, blockedUntil } = isBlocked(account) ? account : NO_BLOCK;
  return {
    id,
    username,
    email,
    name,
    role,
    regions,
    blocked_at: blockedAt?.toISOString() ?? null,
    blocked_reason: blockedReason,
    blocked_until: blockedUntil?.toISOString() ?? null,
  };
}

/** Returns the sessions of an account, and ends them with `--end`. */
export function listSessions({ end }: { end?: true }, username = ''): Promise<object[]> {
  return withApplication([AccountsModule], async (app) => {
    const { id } = await app.get(AccountsStore).getByUsernameOrEmail(username);
    const sessions = app.get(SessionsService);
    const listed = await sessions.list(id);
    if (end) await app.get(TransactionService).run((tx) => sessions.endAll(tx, id));
    return listed.map(toSessionOutput);
  });
}

/**
 * Returns the handler that returns all data about a person.
 * @param appModule has all modules, because each exports its own data
 */
export function createExportHandler(appModule: Type): CommandHandler<object> {
  return (_, username = '') =>
    withApplication([appModule], async (app) => {
      const { id } = await app.get(AccountsStore).getByUsernameOrEmail(username);
      return app.get(ExportService).export(id);
    });
}

/**
 * Returns the handler that deletes an account.
 * @param appModule has all modules, because each deletes its own data
 */
export function createDeletionHandler(appModule: Type): CommandHandler<object> {
  return (_, username = '') =>
    withApplication([appModule], async (app) => {
      const account = await app.get(AccountsStore).getByUsernameOrEmail(username);
      await app.get(DeletionService).delete(account);
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

/**
 * Reads a password of one line from standard input. A terminal shows a prompt, and does not show
 * the password.
 * @throws DomainError invalid if the input has several lines
 */
async function readPassword(): Promise<string> {
  const input = process.stdin.isTTY ? await readFromTerminal() : await text(process.stdin);
  const password = input.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw createUsageError('The password on standard input must be one line.');
  return password;
}

async function readFromTerminal(): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  process.stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
