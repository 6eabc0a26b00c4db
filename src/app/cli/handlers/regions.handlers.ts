import { AppsModule } from '../../../identity/apps/apps.module.js';
import { EditsModule } from '../../../map/edits/edits.module.js';
import { RegionCreationService } from '../../../map/edits/region-creation.service.js';
import type { BoundingBox } from '../../../map/regions/geo.js';
import { type Region, toBoundingBox } from '../../../map/regions/region.entity.js';
import { RegionsModule } from '../../../map/regions/regions.module.js';
import { RegionsStore } from '../../../map/regions/regions.store.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

interface CreateOptions {
  name: string;
  bbox: string;
}

/** Returns all regions. */
export function listRegions(): Promise<object[]> {
  return withApplication([RegionsModule], async (app) => (await app.get(RegionsStore).list()).map(toRegionOutput));
}

/** Creates a region and assigns the markers and edits inside it. */
export function createRegion({ name, bbox }: CreateOptions): Promise<object> {
  const box = bbox.split(',').map((number) => (number.trim() === '' ? NaN : Number(number)));
  return withApplication([MetricsModule, AppsModule, EditsModule], (app) =>
    withProgress({}, async (progress) => {
      const onProgress = (done: number, total: number): void => progress.update(done, total, 'markers');
      return toRegionOutput(await app.get(RegionCreationService).create(name, box as BoundingBox, onProgress));
    }),
  );
}

function toRegionOutput(region: Region): object {
  return { id: region.id, name: region.name, bbox: toBoundingBox(region) };
}
