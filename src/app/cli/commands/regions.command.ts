import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

const loadHandlers = () => import('../handlers/regions.handlers.js');

/** Builds `regions` and its subcommands. */
export function buildRegionsCommand(): Command {
  return new Command('regions')
    .description('parts of the map in which roles are given')
    .addCommand(buildListCommand())
    .addCommand(buildCreateCommand());
}

function buildListCommand(): Command {
  const command = new Command('list').description('all regions');
  return withHandler(command, async () => (await loadHandlers()).listRegions);
}

function buildCreateCommand(): Command {
  const command = new Command('create')
    .description('make a region, of all markers that lie in it and in none yet; begun again, it goes on')
    .requiredOption('--name <name>')
    .requiredOption('--bbox <w,s,e,n>', 'in degrees; where west is greater than east, it crosses the 180th meridian');
  return withHandler(command, async () => (await loadHandlers()).createRegion);
}
