import { Command, Option } from 'commander';
import type { Role } from '../../../identity/accounts/account.entity.js';
import { withHandler } from '../command-runner.js';

/** The roles, repeated here because the entity loads TypeORM. The compiler reports a missing or unknown role. */
const ROLE_NAMES = Object.keys({ member: true, trusted: true, moderator: true } satisfies Record<Role, true>);

const loadHandlers = () => import('../handlers/accounts.handlers.js');

/** Builds `accounts` and its subcommands. */
export function buildAccountsCommand(): Command {
  return new Command('accounts')
    .description('people')
    .addCommand(buildCreateCommand())
    .addCommand(buildBlockCommand())
    .addCommand(buildUnblockCommand())
    .addCommand(buildShowCommand())
    .addCommand(buildListCommand());
}

function buildCreateCommand(): Command {
  const command = new Command('create')
    .description('make an account')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .requiredOption('--name <name>', 'as others see it')
    .requiredOption('--password <password>')
    .option('--picture <address>', 'a picture of them')
    .addOption(new Option('--role <role>', 'how much the community trusts them').choices(ROLE_NAMES).default('member'))
    .option('--region <region...>', 'where the role holds, by name or id; everywhere, unless said');
  return withHandler(command, async () => (await loadHandlers()).createAccount);
}

function buildBlockCommand(): Command {
  const command = new Command('block')
    .description('end what apps may do for a person, until unblocked')
    .argument('<username>')
    .requiredOption('--reason <sentence>', 'what the person is told');
  return withHandler(command, async () => (await loadHandlers()).blockAccount);
}

function buildUnblockCommand(): Command {
  const command = new Command('unblock').description('end a block').argument('<username>');
  return withHandler(command, async () => (await loadHandlers()).unblockAccount);
}

function buildShowCommand(): Command {
  const command = new Command('show').description('one account').argument('<username>');
  return withHandler(command, async () => (await loadHandlers()).showAccount);
}

function buildListCommand(): Command {
  const command = new Command('list').description('all accounts');
  return withHandler(command, async () => (await loadHandlers()).listAccounts);
}
