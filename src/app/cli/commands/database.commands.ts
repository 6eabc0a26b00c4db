import { type Command, Option } from 'commander';
import { runHandler } from '../run-handler.js';

const loadHandlers = () => import('../handlers/database.handlers.js');

/** Adds `migrate`. */
export function addMigrateCommand(program: Command): void {
  const migrate = program.command('migrate').description('Apply pending database migrations');
  runHandler(migrate, async () => (await loadHandlers()).migrateDatabase);
}

/** Adds `demo`. */
export function addDemoCommand(program: Command): void {
  const demo = program
    .command('demo')
    .description('Load the demo data into an empty database')
    .option(
      '--scale <count>',
      'also create this number of generated markers; run it again to continue (default: none)',
    );
  runHandler(demo, async () => (await import('../handlers/demo.handlers.js')).loadDemo);
}

/** Adds `audit`. */
export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .description('List audit events, newest first')
    .option('--account <username>', 'only events of this account (default: all)')
    .option('--app <id>', 'only events of this app, by client ID (default: all)')
    .option(
      '--since <time>',
      'only events since a date such as 2026-11-21 (UTC), or an age in s, m, h or d, such as 24h or 7d (default: all)',
    )
    .addOption(new Option('--limit <count>', 'maximum number of events, 1 to 99999').default('100', '100'));
  runHandler(audit, async () => (await import('../handlers/audit.handlers.js')).listAuditEvents);
}

/**
 * Adds `backup`. The command applies no migration, so that it can run before an upgrade, and needs
 * no `MASTER_SECRET`.
 */
export function addBackupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('Back up the SQLite database while the service runs')
    .argument('<file>', 'path of the backup; the file must not exist');
  runHandler(backup, async () => (await loadHandlers()).backUpDatabase);
}
