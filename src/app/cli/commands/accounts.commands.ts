import { type Command, Option } from 'commander';
import type { Role } from '../../../identity/accounts/account.entity.js';
import { addIfAbsentOption } from '../create-if-absent.js';
import { type LoadAppModule, runHandler } from '../run-handler.js';

/**
 * The roles, repeated here because the entity loads TypeORM. The compiler reports a missing or
 * unknown role.
 */
const ROLE_NAMES = Object.keys({ member: true, trusted: true, moderator: true } satisfies Record<Role, true>);

const loadHandlers = () => import('../handlers/accounts.handlers.js');

/** Adds `accounts` and its subcommands. */
export function addAccountsCommands(program: Command, loadAppModule: LoadAppModule): void {
  const accounts = program.command('accounts').description('Manage accounts');
  const create = accounts
    .command('create')
    .description('Create an account')
    .requiredOption('--username <name>', 'unique name for sign-in (required)')
    .requiredOption('--email <address>', 'e-mail address, which counts as verified (required)')
    .requiredOption('--name <name>', 'name that other people see (required)')
    .option('--password <password>', 'password for sign-in, 1 to 200 characters (default: read from standard input)')
    .option('--picture <url>', 'https URL of a profile picture (default: none)')
    .addOption(buildRoleOption().default('member'));
  runHandler(
    addIfAbsentOption(addRegionOptions(create), 'account with this username'),
    async () => (await loadHandlers()).createAccount,
  );

  const block = accounts
    .command('block')
    .description('Block an account: apps get no new tokens for it, and their access tokens can only read')
    .argument('<username>', 'username or e-mail address')
    .requiredOption('--reason <sentence>', 'reason, shown to the person (required)')
    .option(
      '--until <time>',
      'end of the block: a date, such as 2027-01-31 or 2027-01-31T08:00Z, or a duration, such as 24h or 7d (default: accounts unblock)',
    )
    .option('--withdraw-edits', 'withdraw the open suggestions of the person, and print their number (default: no)');
  runHandler(block, async () => (await loadHandlers()).blockAccount);

  const unblock = accounts
    .command('unblock')
    .description('Unblock a blocked account')
    .argument('<username>', 'username or e-mail address');
  runHandler(unblock, async () => (await loadHandlers()).unblockAccount);

  const resetLink = accounts
    .command('reset-link')
    .description('Create a link that sets a new password within 24 hours; give it only to the person')
    .argument('<username>', 'username or e-mail address');
  runHandler(resetLink, async () => (await loadHandlers()).createResetLink);

  const setPassword = accounts
    .command('set-password')
    .description('Set a password from standard input, 1 to 200 characters, and end all sessions')
    .argument('<username>', 'username or e-mail address');
  runHandler(setPassword, async () => (await loadHandlers()).setPassword);

  const show = accounts
    .command('show')
    .description('Show an account')
    .argument('<username>', 'username or e-mail address');
  runHandler(show, async () => (await loadHandlers()).showAccount);

  const list = accounts.command('list').description('List all accounts');
  runHandler(list, async () => (await loadHandlers()).listAccounts);

  const setRole = accounts
    .command('set-role')
    .description('Change the role of an account')
    .argument('<username>', 'username or e-mail address')
    .addOption(buildRoleOption().makeOptionMandatory());
  runHandler(addRegionOptions(setRole), async () => (await loadHandlers()).setAccountRole);

  const sessions = accounts
    .command('sessions')
    .description('List the sessions of an account, or end them')
    .argument('<username>', 'username or e-mail address')
    .option('--end', 'end all listed sessions (default: only list them)');
  runHandler(sessions, async () => (await loadHandlers()).listSessions);

  const exportData = accounts
    .command('export')
    .description('Export all data about a person')
    .argument('<username>', 'username or e-mail address');
  runHandler(exportData, async () => (await loadHandlers()).createExportHandler(await loadAppModule()));

  const deleteData = accounts
    .command('delete')
    .description('Delete an account and the data about the person, and disable the apps that the person registered')
    .argument('<username>', 'username or e-mail address');
  runHandler(deleteData, async () => (await loadHandlers()).createDeletionHandler(await loadAppModule()));
}

function buildRoleOption(): Option {
  return new Option('--role <role>', 'permissions on the map').choices(ROLE_NAMES);
}

/** Adds the options that name the regions of a role. */
function addRegionOptions(command: Command): Command {
  return command
    .option('--region <region...>', 'region in which the role is valid, by name or ID; can be repeated')
    .addOption(new Option('--everywhere', 'the role is valid on the whole map').conflicts('region'));
}
