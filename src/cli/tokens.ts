import { Command } from 'commander';
import { AuthorizationsService } from '../oauth/authorizations.service.js';
import { does } from './run.js';

interface IssueOptions {
  app: string;
  account: string;
  scope: string;
}

export function tokensCommand(): Command {
  const issue = new Command('issue')
    .description('a token pair without the browser, for trying things out')
    .requiredOption('--app <id>')
    .requiredOption('--account <username>')
    .requiredOption('--scope <scopes>', 'separated by spaces');
  const command = does<IssueOptions>(issue, (app, { app: appId, account, scope }) =>
    app.get(AuthorizationsService).issueByOperator(appId, account, scope),
  );
  return new Command('tokens').description('access and refresh tokens').addCommand(command);
}
