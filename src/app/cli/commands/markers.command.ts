import { Command } from 'commander';
import { withHandler } from '../command-runner.js';
import { buildLockCommands } from './lock-commands.js';

/** Builds `markers` and its subcommands. */
export function buildMarkersCommand(): Command {
  const command = new Command('markers').description('Manage the markers of the map');
  for (const subcommand of [buildImportCommand(), ...buildLockCommands('artwork', 'marker')])
    command.addCommand(subcommand);
  return command;
}

function buildImportCommand(): Command {
  const command = new Command('import')
    .description('Import markers from a GeoJSON file')
    .addHelpText(
      'after',
      '\nThe file is a FeatureCollection of points. The properties of a feature are the fields of a marker.' +
        '\nTo continue an interrupted import, run the same command again. The import skips invalid' +
        '\nfeatures and prints their numbers: correct them and import them in a new file.',
    )
    .argument('<file>', 'path of the GeoJSON file');
  return withHandler(command, async () => (await import('../handlers/markers.handlers.js')).importMarkers);
}
