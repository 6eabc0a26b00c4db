import { Command, Option } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `audit`. */
export function buildAuditCommand(): Command {
  const command = new Command('audit')
    .description('List audit events, newest first')
    .option('--account <username>', 'only events of this account (default: all)')
    .option('--app <id>', 'only events of this app, by client ID (default: all)')
    .option(
      '--since <time>',
      'only events since a date such as 2026-11-21 (UTC), or an age in s, m, h or d, such as 24h or 7d (default: all)',
    )
    .addOption(new Option('--limit <count>', 'maximum number of events, 1 to 99999').default('100', '100'));
  return withHandler(command, async () => (await import('../handlers/audit.handlers.js')).listAuditEvents);
}
