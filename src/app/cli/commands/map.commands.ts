import type { Command } from 'commander';
import type { TargetType } from '../../../map/edits/edit.entity.js';
import { addIfAbsentOption } from '../create-if-absent.js';
import { runHandler } from '../run-handler.js';

const loadHandlers = () => import('../handlers/map.handlers.js');

/** Adds `regions` and its subcommands. */
export function addRegionsCommands(program: Command): void {
  const regions = program.command('regions').description('Manage the regions that a role can be limited to');
  runHandler(regions.command('list').description('List all regions'), async () => (await loadHandlers()).listRegions);

  const create = regions
    .command('create')
    .description('Create a region and assign the markers in it that have no region; run it again to continue')
    .requiredOption('--name <name>', 'unique name of the region (required)')
    .requiredOption(
      '--bbox <box>',
      'bounding box west,south,east,north in degrees; west > east crosses the 180th meridian (required)',
    );
  runHandler(addIfAbsentOption(create, 'region with this name'), async () => (await loadHandlers()).createRegion);
}

/** Adds `markers` and its subcommands. */
export function addMarkersCommands(program: Command): void {
  const markers = program.command('markers').description('Manage the markers of the map');
  const importFile = markers
    .command('import')
    .description('Import markers from a GeoJSON file')
    .addHelpText(
      'after',
      '\nThe file is a FeatureCollection of points. The properties of a feature are the fields of a marker.' +
        '\nTo continue an interrupted import, run the same command again. The import skips invalid' +
        '\nfeatures and prints their numbers: correct them and import them in a new file.',
    )
    .argument('<file>', 'path of the GeoJSON file');
  runHandler(importFile, async () => (await loadHandlers()).importMarkers);
  addLockCommands(markers, 'artwork', 'marker');
}

/** Adds `artists` and its subcommands. */
export function addArtistsCommands(program: Command): void {
  addLockCommands(program.command('artists').description('Lock and unlock artists'), 'artist', 'artist');
}

function addLockCommands(parent: Command, type: TargetType, noun: 'marker' | 'artist'): void {
  const lock = parent
    .command('lock')
    .description(`Lock the ${noun}: only moderators can accept its edits`)
    .argument('<id>', `id of the ${noun}`);
  runHandler(lock, async () => (await loadHandlers()).createLockHandler(type, true));

  const unlock = parent.command('unlock').description(`Unlock the ${noun}`).argument('<id>', `id of the ${noun}`);
  runHandler(unlock, async () => (await loadHandlers()).createLockHandler(type, false));
}
