import { Command } from 'commander';
import { accountsCommand } from '../../cli/accounts.js';
import { appsCommand } from '../../cli/apps.js';
import { auditCommand } from '../../cli/audit.js';
import { backupCommand } from '../../cli/backup.js';
import { demoCommand, migrateCommand } from '../../cli/database.js';
import { keysCommand } from '../../cli/keys.js';
import { mapCommands } from '../../cli/map.js';
import { tokensCommand } from '../../cli/tokens.js';
import { sentenceOf } from '../../start-error.js';

/** Runs the operator's command that the arguments of the process name. */
export async function runCommandLine(): Promise<void> {
  const program = new Command('street-art')
    .description('Looks after the street art map. Settings come from the environment, as for the service.')
    .showHelpAfterError('Add --help to see what a command takes.')
    .addCommand(migrateCommand())
    .addCommand(demoCommand())
    .addCommand(accountsCommand())
    .addCommand(appsCommand())
    .addCommand(tokensCommand())
    .addCommand(keysCommand())
    .addCommand(auditCommand())
    .addCommand(backupCommand());
  for (const command of mapCommands()) program.addCommand(command);

  // What reads our output may have enough of it, as `head` does.
  process.stdout.on('error', () => process.exit(0));

  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1); // where the start failed, connections may be open
  }
}
