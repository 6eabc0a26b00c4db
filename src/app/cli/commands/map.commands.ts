import type { Command } from 'commander';
import type { TargetType } from '../../../map/edits/edit.entity.js';
import { addIfAbsentOption } from '../create-if-absent.js';
import { runHandler } from '../run-handler.js';

const loadHandlers = () => import('../handlers/map.handlers.js');
const loadFileHandlers = () => import('../handlers/map-files.handlers.js');

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
    .description('Import markers from a GeoJSON file, such as one of `markers export`')
    .addHelpText(
      'after',
      '\nThe file is a FeatureCollection of points, or a GeoJSON text sequence (RFC 8142). The properties' +
        '\nof a feature are the fields of a marker. Artists are found by name, so import them first.' +
        '\nTo continue an interrupted import, run the same command again. The import skips invalid' +
        '\nfeatures and prints their numbers: correct them and import them in a new file.',
    )
    .argument('<file>', 'path of the GeoJSON file');
  runHandler(importFile, async () => (await loadFileHandlers()).importMarkers);
  const exportFile = markers
    .command('export')
    .description('Export all artworks and places as a GeoJSON text sequence (RFC 8142)')
    .argument('<file>', 'path of the new file, or - for standard output');
  runHandler(exportFile, async () => (await loadFileHandlers()).exportMarkers);
  addLockCommands(markers, 'artwork', 'marker');
}

/** Adds `artists` and its subcommands. */
export function addArtistsCommands(program: Command): void {
  const artists = program.command('artists').description('Manage the artists of the map');
  const importFile = artists
    .command('import')
    .description('Import artists from a file of `artists export`; an artist with the same name stays as it is')
    .argument('<file>', 'path of the file with one JSON object per line');
  runHandler(importFile, async () => (await loadFileHandlers()).importArtists);
  const exportFile = artists
    .command('export')
    .description('Export all artists as JSON lines')
    .argument('<file>', 'path of the new file, or - for standard output');
  runHandler(exportFile, async () => (await loadFileHandlers()).exportArtists);
  addLockCommands(artists, 'artist', 'artist');
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
