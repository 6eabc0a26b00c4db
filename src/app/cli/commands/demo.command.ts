import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `demo`. */
export function buildDemoCommand(): Command {
  const command = new Command('demo')
    .description('load the demo data into an empty database')
    .option('--scale <markers>', 'and so many made-up markers beside it; begun again, it goes on where it ended');
  return withHandler(command, async () => (await import('../handlers/demo.handlers.js')).loadDemo);
}
