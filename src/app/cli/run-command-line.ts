import { Command, CommanderError } from 'commander';
import { VERSION } from '../../platform/config/version.js';
import { addAccountsCommands } from './commands/accounts.commands.js';
import { addAppsCommands, addKeysCommands, addTokensCommands } from './commands/apps.commands.js';
import { addAuditCommand, addBackupCommand, addDemoCommand, addMigrateCommand } from './commands/database.commands.js';
import { addArtistsCommands, addMarkersCommands, addRegionsCommands } from './commands/map.commands.js';
import { describeFailure } from './command-failure.js';
import type { LoadAppModule } from './run-handler.js';

/**
 * Runs a command and prints its result, or its error on standard error. With `--json`, the error is
 * an object too.
 * @param args the words after the name of the program
 * @param loadAppModule loads the module with all modules of the service
 * @returns the exit code of the process; after a failure, connections may still be open
 */
export async function runCommandLine(args: string[], loadAppModule: LoadAppModule): Promise<number> {
  const isJson = args.includes('--json');
  try {
    await createProgram(loadAppModule, isJson).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { exitCode, code, message } = await describeFailure(error);
    const json = JSON.stringify({ error: message.replaceAll('\n', ' '), code });
    process.stderr.write(`${isJson ? json : message}\n`);
    return exitCode;
  }
}

/**
 * Returns all commands, in the order of the help.
 * @param isSilent whether wrong usage prints no help
 */
export function createProgram(loadAppModule: LoadAppModule, isSilent: boolean): Command {
  const program = new Command('street-art')
    .version(VERSION, '--version', 'Print the version')
    .description('Administer the street art map. Commands read the same environment variables as the service.')
    .configureOutput({ outputError: () => undefined, ...(isSilent && { writeErr: () => undefined }) })
    .exitOverride();
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
  return program;
}
