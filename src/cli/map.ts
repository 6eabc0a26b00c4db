import { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import ora from 'ora';
import { EditRegions } from '../edits/edit-regions.service.js';
import { MarkersImport } from '../markers/markers-import.js';
import { boxOf, type Region } from '../markers/region.entity.js';
import { RegionFill } from '../markers/region-fill.js';
import { RegionsService } from '../markers/regions.service.js';
import type { Box } from '../markers/search/places.js';
import { progressBar } from './progress-bar.js';
import { does } from './run.js';

export function mapCommands(): Command[] {
  const regions = new Command('regions').description('parts of the map in which roles are given');
  regions.addCommand(listRegions()).addCommand(createRegion());
  return [regions, new Command('markers').description('what is on the map').addCommand(importMarkers())];
}

function listRegions(): Command {
  return does(new Command('list').description('all regions'), async (app) =>
    (await app.get(RegionsService).list()).map(shown),
  );
}

function createRegion(): Command {
  const command = new Command('create')
    .description('make a region, of all markers that lie in it and in none yet; begun again, it goes on')
    .requiredOption('--name <name>')
    .requiredOption('--bbox <w,s,e,n>', 'in degrees; where west is greater than east, it crosses the 180th meridian');
  return does<{ name: string; bbox: string }>(command, async (app, { name, bbox }) => {
    const box = bbox.split(',').map((number) => (number.trim() === '' ? NaN : Number(number)));
    const region = await app.get(RegionsService).create(name, box as Box);
    const spinner = ora();
    try {
      await app.get(RegionFill).run(region, (done, total) => spinner.start(progressBar(done, total, 'markers')));
      await app.get(EditRegions).fill(region);
    } finally {
      spinner.stop();
    }
    return shown(region);
  });
}

function importMarkers(): Command {
  const command = new Command('import')
    .description('put a GeoJSON FeatureCollection of points onto the map; properties are the members of a marker')
    .addHelpText(
      'after',
      '\nThe same file goes on where it was stopped. What was passed over, mend and import in a file of its own.',
    )
    .argument('<file>');
  return does(command, async (app, _, file) => {
    const geojson = await readFile(file, 'utf8');
    const spinner = ora(`Reading ${file}`).start();
    try {
      return await app.get(MarkersImport).run(geojson, {
        reached: (done, total) => (spinner.text = progressBar(done, total, 'features')),
        refused: (number, reason) => spinner.warn(`Feature ${number} was passed over: ${reason}.`).start(),
      });
    } finally {
      spinner.stop();
    }
  });
}

function shown(region: Region): object {
  return { id: region.id, name: region.name, bbox: boxOf(region) };
}
