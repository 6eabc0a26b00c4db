import { Command } from 'commander';
import { withHandler } from '../command-runner.js';
import { buildRegionOptions, buildRoleOption } from './account-roles.js';

const loadHandlers = () => import('../handlers/accounts.handlers.js');
const loadDataHandlers = () => import('../handlers/account-data.handlers.js');

/** Builds `accounts` and its subcommands. */
export function buildAccountsCommand(): Command {
  return new Command('accounts')
    .description('Manage accounts')
    .addCommand(buildCreateCommand())
    .addCommand(buildBlockCommand())
    .addCommand(buildUnblockCommand())
    .addCommand(buildResetLinkCommand())
    .addCommand(buildSetPasswordCommand())
    .addCommand(buildShowCommand())
    .addCommand(buildListCommand())
    .addCommand(buildSetRoleCommand())
    .addCommand(buildSessionsCommand())
    .addCommand(buildExportCommand())
    .addCommand(buildDeleteCommand());
}

function buildCreateCommand(): Command {
  const command = new Command('create')
    .description('Create an account')
    .requiredOption('--username <name>', 'unique name for sign-in (required)')
    .requiredOption('--email <address>', 'e-mail address, which counts as verified (required)')
    .requiredOption('--name <name>', 'name that other people see (required)')
    .option('--password <password>', 'password for sign-in, 1 to 200 characters (default: read from standard input)')
    .option('--picture <url>', 'https URL of a profile picture (default: none)')
    .addOption(buildRoleOption().default('member'));
  for (const option of buildRegionOptions()) command.addOption(option);
  return withHandler(command, async () => (await loadHandlers()).createAccount);
}

function buildBlockCommand(): Command {
  const command = new Command('block')
    .description('Block an account: apps get no new tokens for it, and their access tokens can only read')
    .argument('<username>', 'username or e-mail address')
    .requiredOption('--reason <sentence>', 'reason, shown to the person (required)');
  return withHandler(command, async () => (await loadHandlers()).blockAccount);
}

function buildUnblockCommand(): Command {
  const command = new Command('unblock')
    .description('Unblock a blocked account')
    .argument('<username>', 'username or e-mail address');
  return withHandler(command, async () => (await loadHandlers()).unblockAccount);
}

function buildResetLinkCommand(): Command {
  const command = new Command('reset-link')
    .description('Create a link that sets a new password within 24 hours; give it only to the person')
    .argument('<username>', 'username or e-mail address');
  return withHandler(command, async () => (await loadHandlers()).createResetLink);
}

function buildSetPasswordCommand(): Command {
  const command = new Command('set-password')
    .description('Set a password from standard input, 1 to 200 characters, and end all sessions')
    .argument('<username>', 'username or e-mail address');
  return withHandler(command, async () => (await loadHandlers()).setPassword);
}

function buildShowCommand(): Command {
  const command = new Command('show')
    .description('Show an account')
    .argument('<username>', 'username or e-mail address');
  return withHandler(command, async () => (await loadHandlers()).showAccount);
}

function buildListCommand(): Command {
  const command = new Command('list').description('List all accounts');
  return withHandler(command, async () => (await loadHandlers()).listAccounts);
}

function buildSetRoleCommand(): Command {
  const command = new Command('set-role')
    .description('Change the role of an account')
    .argument('<username>', 'username or e-mail address')
    .addOption(buildRoleOption().makeOptionMandatory());
  for (const option of buildRegionOptions()) command.addOption(option);
  return withHandler(command, async () => (await loadHandlers()).setAccountRole);
}

function buildSessionsCommand(): Command {
  const command = new Command('sessions')
    .description('List the sessions of an account, or end them')
    .argument('<username>', 'username or e-mail address')
    .option('--end', 'end all listed sessions (default: only list them)');
  return withHandler(command, async () => (await loadDataHandlers()).listSessions);
}

function buildExportCommand(): Command {
  const command = new Command('export')
    .description('Export all data about a person')
    .argument('<username>', 'username or e-mail address');
  return withHandler(command, async () => (await loadDataHandlers()).exportAccount);
}

function buildDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete an account and the data about the person, and disable the apps that the person registered')
    .argument('<username>', 'username or e-mail address');
  return withHandler(command, async () => (await loadDataHandlers()).deleteAccount);
}
