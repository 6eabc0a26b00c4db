import { Command, Option } from 'commander';
import { type Account, type Role, ROLES } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { RegionsService } from '../markers/regions.service.js';
import { does } from './run.js';

interface CreateOptions {
  username: string;
  email: string;
  name: string;
  password: string;
  picture?: string;
  role: Role;
  region?: string[];
}

export function accountsCommand(): Command {
  return new Command('accounts')
    .description('people')
    .addCommand(create())
    .addCommand(block())
    .addCommand(unblock())
    .addCommand(show())
    .addCommand(list());
}

function create(): Command {
  const command = new Command('create')
    .description('make an account')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .requiredOption('--name <name>', 'as others see it')
    .requiredOption('--password <password>')
    .option('--picture <address>', 'a picture of them')
    .addOption(new Option('--role <role>', 'how much the community trusts them').choices(ROLES).default('member'))
    .option('--region <region...>', 'where the role holds, by name or id; everywhere, unless said');
  return does<CreateOptions>(command, async (app, { region = [], ...given }) => {
    const regions = await app.get(RegionsService).idsOf(region);
    const { id, username, role } = await app.get(AccountsService).create({ ...given, regions, emailVerified: true });
    return { id, username, role };
  });
}

function block(): Command {
  const command = new Command('block')
    .description('end what apps may do for a person, until unblocked')
    .argument('<username>')
    .requiredOption('--reason <sentence>', 'what the person is told');
  return does<{ reason: string }>(command, async (app, { reason }, username) =>
    shown(await app.get(AccountsService).block(username, reason)),
  );
}

function unblock(): Command {
  return does(new Command('unblock').description('end a block').argument('<username>'), async (app, _, username) =>
    shown(await app.get(AccountsService).unblock(username)),
  );
}

function show(): Command {
  return does(new Command('show').description('one account').argument('<username>'), async (app, _, username) =>
    shown(await app.get(AccountsService).named(username)),
  );
}

function list(): Command {
  return does(new Command('list').description('all accounts'), async (app) =>
    (await app.get(AccountsService).list()).map(shown),
  );
}

function shown({ id, username, email, name, role, regions, blockedAt, blockedReason }: Account): object {
  const block = { blocked_at: blockedAt?.toISOString() ?? null, blocked_reason: blockedReason };
  return { id, username, email, name, role, regions, ...block };
}
