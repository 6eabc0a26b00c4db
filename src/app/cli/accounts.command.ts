import { Command, Option } from 'commander';
import { type Account, type Role, ROLES } from '../../identity/accounts/account.entity.js';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import { RegionsService } from '../../map/regions/regions.service.js';
import { appCommand } from './command-runner.js';

interface CreateOptions {
  username: string;
  email: string;
  name: string;
  password: string;
  picture?: string;
  role: Role;
  region?: string[];
}

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
    .addOption(new Option('--role <role>', 'how much the community trusts them').choices(ROLES).default('member'))
    .option('--region <region...>', 'where the role holds, by name or id; everywhere, unless said');
  return appCommand<CreateOptions>(command, async (app, { region = [], ...given }) => {
    const regions = await app.get(RegionsService).resolveIds(region);
    const { id, username, role } = await app.get(AccountsService).create({ ...given, regions, emailVerified: true });
    return { id, username, role };
  });
}

function buildBlockCommand(): Command {
  const command = new Command('block')
    .description('end what apps may do for a person, until unblocked')
    .argument('<username>')
    .requiredOption('--reason <sentence>', 'what the person is told');
  return appCommand<{ reason: string }>(command, async (app, { reason }, username) =>
    toAccountOutput(await app.get(AccountsService).block(username, reason)),
  );
}

function buildUnblockCommand(): Command {
  return appCommand(
    new Command('unblock').description('end a block').argument('<username>'),
    async (app, _, username) => toAccountOutput(await app.get(AccountsService).unblock(username)),
  );
}

function buildShowCommand(): Command {
  return appCommand(new Command('show').description('one account').argument('<username>'), async (app, _, username) =>
    toAccountOutput(await app.get(AccountsStore).getByLogin(username)),
  );
}

function buildListCommand(): Command {
  return appCommand(new Command('list').description('all accounts'), async (app) =>
    (await app.get(AccountsStore).list()).map(toAccountOutput),
  );
}

function toAccountOutput({ id, username, email, name, role, regions, blockedAt, blockedReason }: Account): object {
  const block = { blocked_at: blockedAt?.toISOString() ?? null, blocked_reason: blockedReason };
  return { id, username, email, name, role, regions, ...block };
}
