import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `audit`. */
export function buildAuditCommand(): Command {
  const command = new Command('audit')
    .description('who did what to whose access, the newest first')
    .option('--account <username>', 'what concerns a person')
    .option('--app <id>', 'what concerns an app')
    .option('--since <moment>', 'from a date on, such as 2026-11-21, or from so long ago, such as 24h or 7d')
    .option('--limit <count>', 'how many at most', '100');
  return withHandler(command, async () => (await import('../handlers/audit.handlers.js')).listAuditEvents);
}
