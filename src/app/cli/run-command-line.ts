import { Command, CommanderError } from 'commander';
import { VERSION } from '../../platform/config/version.js';
import { addAccountsCommands } from './commands/accounts.commands.js';
import { addAppsCommands, addKeysCommands, addTokensCommands } from './commands/apps.commands.js';
import { addAuditCommand, addBackupCommand, addDemoCommand, addMigrateCommand } from './commands/database.commands.js';
import { addArtistsCommands, addMarkersCommands, addRegionsCommands } from './commands/map.commands.js';
import { formatError } from './format-error.js';
import type { LoadAppModule } from './run-handler.js';

/**
 * Runs a command and prints its result or its error.
 * @param args the words after the name of the program
 * @param loadAppModule loads the module with all modules of the service
 * @returns the exit code of the process; after a failure, connections may still be open
 */
export async function runCommandLine(args: string[], loadAppModule: LoadAppModule): Promise<number> {
  const program = new Command('street-art')
    .version(VERSION, '--version', 'Print the version')
    .description('Administer the street art map. Commands read the same environment variables as the service.')
    .showHelpAfterError('Run the command with --help to see its arguments and options.')
    .exitOverride();
  // The help lists the commands in this order.
  addMigrateCommand(program);
  addDemoCommand(program);
  addAccountsCommands(program, loadAppModule);
  addAppsCommands(program);
  addTokensCommands(program);
  addKeysCommands(program);
  addAuditCommand(program);
  addBackupCommand(program);
  addRegionsCommands(program);
  addMarkersCommands(program);
  addArtistsCommands(program);

  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed it.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${formatError(error)}\n`);
    return 1;
  }
}
