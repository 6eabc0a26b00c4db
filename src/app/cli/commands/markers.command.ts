import { Command } from 'commander';
import { withHandler } from '../command-runner.js';

/** Builds `markers` and its subcommand. */
export function buildMarkersCommand(): Command {
  return new Command('markers').description('what is on the map').addCommand(buildImportCommand());
}

function buildImportCommand(): Command {
  const command = new Command('import')
    .description('put a GeoJSON FeatureCollection of points onto the map; properties are the members of a marker')
    .addHelpText(
      'after',
      '\nThe same file goes on where it was stopped. What was passed over, mend and import in a file of its own.',
    )
    .argument('<file>');
  return withHandler(command, async () => (await import('../handlers/markers.handlers.js')).importMarkers);
}
