import { Command } from 'commander';
import { buildAccountsCommand } from './accounts.command.js';
import { buildAppsCommand } from './apps.command.js';
import { buildAuditCommand } from './audit.command.js';
import { buildBackupCommand } from './backup.command.js';
import { buildDemoCommand, buildMigrateCommand } from './database.command.js';
import { buildKeysCommand } from './keys.command.js';
import { buildMapCommands } from './map.command.js';
import { buildTokensCommand } from './tokens.command.js';
import { toErrorMessage } from '../../platform/logging/error-message.js';

/** Runs the operator's command that the arguments of the process name. */
export async function runCommandLine(): Promise<void> {
  const program = new Command('street-art')
    .description('Looks after the street art map. Settings come from the environment, as for the service.')
    .showHelpAfterError('Add --help to see what a command takes.')
    .addCommand(buildMigrateCommand())
    .addCommand(buildDemoCommand())
    .addCommand(buildAccountsCommand())
    .addCommand(buildAppsCommand())
    .addCommand(buildTokensCommand())
    .addCommand(buildKeysCommand())
    .addCommand(buildAuditCommand())
    .addCommand(buildBackupCommand());
  for (const command of buildMapCommands()) program.addCommand(command);

  // What reads our output may have enough of it, as `head` does.
  process.stdout.on('error', () => process.exit(0));

  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${toErrorMessage(error)}\n`);
    process.exit(1); // where the start failed, connections may be open
  }
}
