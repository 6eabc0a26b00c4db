import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/regions.handlers.js');

/** Builds `regions` and its subcommands. */
export function buildRegionsCommand(): Command {
  return new Command('regions')
    .description('Manage the regions that a role can be limited to')
    .addCommand(buildListCommand())
    .addCommand(buildCreateCommand());
}

function buildListCommand(): Command {
  const command = new Command('list').description('List all regions');
  return withHandler(command, async () => (await loadHandlers()).listRegions);
}

function buildCreateCommand(): Command {
  const command = new Command('create')
    .description('Create a region and assign the markers in it that have no region; run it again to continue')
    .requiredOption('--name <name>', 'unique name of the region (required)')
    .requiredOption(
      '--bbox <box>',
      'bounding box west,south,east,north in degrees; west > east crosses the 180th meridian (required)',
    );
  return withHandler(command, async () => (await loadHandlers()).createRegion);
}
