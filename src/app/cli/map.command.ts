import { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import ora from 'ora';
import { EditRegionsService } from '../../map/edits/edit-regions.service.js';
import { MarkersImportService } from '../../map/markers/markers-import.service.js';
import { toBoundingBox, type Region } from '../../map/regions/region.entity.js';
import { RegionBackfillService } from '../../map/markers/region-backfill.service.js';
import { RegionsService } from '../../map/regions/regions.service.js';
import { RegionsStore } from '../../map/regions/regions.store.js';
import type { BoundingBox } from '../../map/regions/geo.js';
import { formatProgressBar } from './progress-bar.js';
import { appCommand } from './command-runner.js';

export function buildMapCommands(): Command[] {
  const regions = new Command('regions').description('parts of the map in which roles are given');
  regions.addCommand(buildListRegionsCommand()).addCommand(buildCreateRegionCommand());
  return [regions, new Command('markers').description('what is on the map').addCommand(buildImportMarkersCommand())];
}

function buildListRegionsCommand(): Command {
  return appCommand(new Command('list').description('all regions'), async (app) =>
    (await app.get(RegionsStore).list()).map(toRegionOutput),
  );
}

function buildCreateRegionCommand(): Command {
  const command = new Command('create')
    .description('make a region, of all markers that lie in it and in none yet; begun again, it goes on')
    .requiredOption('--name <name>')
    .requiredOption('--bbox <w,s,e,n>', 'in degrees; where west is greater than east, it crosses the 180th meridian');
  return appCommand<{ name: string; bbox: string }>(command, async (app, { name, bbox }) => {
    const box = bbox.split(',').map((number) => (number.trim() === '' ? NaN : Number(number)));
    const region = await app.get(RegionsService).findOrCreate(name, box as BoundingBox);
    const spinner = ora();
    try {
      await app
        .get(RegionBackfillService)
        .assignMarkers(region, (done, total) => spinner.start(formatProgressBar(done, total, 'markers')));
      await app.get(EditRegionsService).assignRegion(region);
    } finally {
      spinner.stop();
    }
    return toRegionOutput(region);
  });
}

function buildImportMarkersCommand(): Command {
  const command = new Command('import')
    .description('put a GeoJSON FeatureCollection of points onto the map; properties are the members of a marker')
    .addHelpText(
      'after',
      '\nThe same file goes on where it was stopped. What was passed over, mend and import in a file of its own.',
    )
    .argument('<file>');
  return appCommand(command, async (app, _, file) => {
    const geojson = await readFile(file, 'utf8');
    const spinner = ora(`Reading ${file}`).start();
    try {
      return await app.get(MarkersImportService).importGeoJson(geojson, {
        onProgress: (done, total) => (spinner.text = formatProgressBar(done, total, 'features')),
        onSkipped: (number, reason) => spinner.warn(`Feature ${number} was passed over: ${reason}.`).start(),
      });
    } finally {
      spinner.stop();
    }
  });
}

function toRegionOutput(region: Region): object {
  return { id: region.id, name: region.name, bbox: toBoundingBox(region) };
}
