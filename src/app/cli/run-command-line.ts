import { Command } from 'commander';
import { toErrorMessage } from '../../platform/logging/error-message.js';
import { buildAccountsCommand } from './commands/accounts.command.js';
import { buildArtistsCommand } from './commands/artists.command.js';
import { buildAppsCommand } from './commands/apps.command.js';
import { buildAuditCommand } from './commands/audit.command.js';
import { buildBackupCommand } from './commands/backup.command.js';
import { buildDemoCommand } from './commands/demo.command.js';
import { buildKeysCommand } from './commands/keys.command.js';
import { buildMarkersCommand } from './commands/markers.command.js';
import { buildMigrateCommand } from './commands/migrate.command.js';
import { buildRegionsCommand } from './commands/regions.command.js';
import { buildTokensCommand } from './commands/tokens.command.js';

/**
 * Runs the command in the arguments of this process. A failure prints one sentence and ends the
 * process with exit code 1.
 */
export async function runCommandLine(): Promise<void> {
  const program = new Command('street-art')
    .description('Administer the street art map. Commands read the same environment variables as the service.')
    .showHelpAfterError('Run the command with --help to see its arguments and options.')
    .addCommand(buildMigrateCommand())
    .addCommand(buildDemoCommand())
    .addCommand(buildAccountsCommand())
    .addCommand(buildAppsCommand())
    .addCommand(buildTokensCommand())
    .addCommand(buildKeysCommand())
    .addCommand(buildAuditCommand())
    .addCommand(buildBackupCommand())
    .addCommand(buildRegionsCommand())
    .addCommand(buildMarkersCommand())
    .addCommand(buildArtistsCommand());
  inheritSettings(program);

  // The reader of the output may close it early, as `head` does.
  process.stdout.on('error', () => process.exit(0));

  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${toErrorMessage(error)}\n`);
    process.exit(1); // connections may still be open
  }
}

/** Copies the settings of a command to its subcommands, which `addCommand` does not do. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inheritSettings(command);
  }
}
