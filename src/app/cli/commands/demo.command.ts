import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `demo`. */
export function buildDemoCommand(): Command {
  const command = new Command('demo')
    .description('Load the demo data into an empty database')
    .option(
      '--scale <count>',
      'also create this number of generated markers; run it again to continue (default: none)',
    );
  return withHandler(command, async () => (await import('../handlers/demo.handlers.js')).loadDemo);
}
