import { Command } from 'commander';
import ora from 'ora';
import { AuthorizationsService } from '../oauth/authorizations.service.js';
import { CleanUp } from '../operations/clean-up.service.js';
import { progressBar } from './progress-bar.js';
import { does } from './run.js';

interface IssueOptions {
  app: string;
  account: string;
  scope: string;
}

export function tokensCommand(): Command {
  return new Command('tokens').description('access and refresh tokens').addCommand(issue()).addCommand(purge());
}

function issue(): Command {
  const command = new Command('issue')
    .description('a token pair without the browser, for trying things out')
    .requiredOption('--app <id>')
    .requiredOption('--account <username>')
    .requiredOption('--scope <scopes>', 'separated by spaces');
  return does<IssueOptions>(command, (app, { app: appId, account, scope }) =>
    app.get(AuthorizationsService).issueByOperator(appId, account, scope),
  );
}

function purge(): Command {
  const command = new Command('purge').description(
    'delete tokens, codes, sessions and attempts to sign in that no longer matter, as the service does every hour',
  );
  return does(command, async (app) => {
    const cleanUp = app.get(CleanUp);
    const total = await cleanUp.count();
    const spinner = ora();
    try {
      const follow = (done: number): unknown => spinner.start(progressBar(done, Math.max(done, total), 'rows'));
      return { deleted: await cleanUp.run({ follow }) };
    } finally {
      spinner.stop();
    }
  });
}
