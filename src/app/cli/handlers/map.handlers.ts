import { AppsModule } from '../../../identity/apps/apps.module.js';
import type { TargetType } from '../../../map/edits/edit.entity.js';
import { EditsModule } from '../../../map/edits/edits.module.js';
import { RegionCreationService } from '../../../map/edits/region-creation.service.js';
import { TargetLocksService } from '../../../map/edits/target-locks.service.js';
import type { BoundingBox } from '../../../map/regions/geo.js';
import { type Region, toBoundingBox } from '../../../map/regions/region.entity.js';
import { RegionsModule } from '../../../map/regions/regions.module.js';
import { assertValidRegion } from '../../../map/regions/regions.service.js';
import { RegionsStore } from '../../../map/regions/regions.store.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { createIfAbsent, type IfAbsentOption } from '../create-if-absent.js';
import type { CommandHandler } from '../run-handler.js';
import { withProgress } from '../with-progress.js';

interface CreateOptions extends IfAbsentOption {
  name: string;
  bbox: string;
}

/** Returns all regions. */
export function listRegions(): Promise<object[]> {
  return withApplication([RegionsModule], async (app) => (await app.get(RegionsStore).list()).map(toRegionOutput));
}

/** Creates a region and assigns the markers and edits inside it. */
export async function createRegion({ name, bbox, ifAbsent }: CreateOptions): Promise<object> {
  const box = bbox.split(',').map((number) => (number.trim() === '' ? NaN : Number(number))) as BoundingBox;
  assertValidRegion(name, box);
  return withApplication([MetricsModule, AppsModule, EditsModule], (app) =>
    withProgress({}, async (progress) => {
      const onProgress = (done: number, total: number): void => progress.update(done, total, 'markers');
      const create = (): Promise<Region> => app.get(RegionCreationService).create(name, box, onProgress);
      const find = async (): Promise<Region | null> =>
        (await app.get(RegionsStore).list()).find((region) => region.name === name.trim()) ?? null;
      return toRegionOutput(await createIfAbsent({ ifAbsent }, create, find));
    }),
  );
}

function toRegionOutput(region: Region): object {
  return { id: region.id, name: region.name, bbox: toBoundingBox(region) };
}

/** Returns the handler that locks or unlocks an artwork or artist. */
export function createLockHandler(type: TargetType, locked: boolean): CommandHandler<object> {
  return (_, id = '') =>
    withApplication([MetricsModule, AppsModule, EditsModule], async (app) => {
      await app.get(TargetLocksService).setLocked(type, id, locked);
      return { id, locked };
    });
}
