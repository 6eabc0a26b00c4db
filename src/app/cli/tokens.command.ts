import { Command } from 'commander';
import ora from 'ora';
import { TokenIssuanceService } from '../../identity/oauth/token-issuance.service.js';
import { RetentionService } from '../../platform/scheduling/retention.service.js';
import { formatProgressBar } from './progress-bar.js';
import { appCommand } from './command-runner.js';

interface IssueOptions {
  app: string;
  account: string;
  scope: string;
}

export function buildTokensCommand(): Command {
  return new Command('tokens')
    .description('access and refresh tokens')
    .addCommand(buildIssueCommand())
    .addCommand(buildPurgeCommand());
}

function buildIssueCommand(): Command {
  const command = new Command('issue')
    .description('a token pair without the browser, for trying things out')
    .requiredOption('--app <id>')
    .requiredOption('--account <username>')
    .requiredOption('--scope <scopes>', 'separated by spaces');
  return appCommand<IssueOptions>(command, (app, { app: appId, account, scope }) =>
    app.get(TokenIssuanceService).issueByOperator(appId, account, scope),
  );
}

function buildPurgeCommand(): Command {
  const command = new Command('purge').description(
    'delete tokens, codes, sessions and attempts to sign in that no longer matter, as the service does every hour',
  );
  return appCommand(command, async (app) => {
    const cleanUp = app.get(RetentionService);
    const total = await cleanUp.countExpired();
    const spinner = ora();
    try {
      const follow = (done: number): unknown => spinner.start(formatProgressBar(done, Math.max(done, total), 'rows'));
      return { deleted: await cleanUp.deleteExpired({ onProgress: follow }) };
    } finally {
      spinner.stop();
    }
  });
}
