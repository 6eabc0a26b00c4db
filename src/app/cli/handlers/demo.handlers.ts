import type { INestApplicationContext } from '@nestjs/common';
import { DemoModule } from '../../demo/demo.module.js';
import { DemoService } from '../../demo/demo.service.js';
import { GeneratedMarkersService } from '../../demo/generated-markers.service.js';
import { createUsageError } from '../../../platform/errors/domain-error.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

/** Loads the demo data and, with `--scale`, generated markers. */
export async function loadDemo({ scale }: { scale?: string }): Promise<object> {
  const markerCount = scale === undefined ? undefined : parseScale(scale);
  return withApplication([MetricsModule, DemoModule], async (app) => {
    const demo = await app.get(DemoService).load();
    if (markerCount !== undefined) return { ...demo, ...(await loadGeneratedMarkers(app, markerCount)) };
    if (!demo)
      throw new Error('The database is not empty. To load the demo data, set DATABASE_URL to an empty database.');
    return demo;
  });
}

function parseScale(scale: string): number {
  if (/^[1-9]\d{0,7}$/.test(scale)) return Number(scale);
  throw createUsageError('--scale must be a number of markers from 1 to 99999999, such as 100000.');
}

async function loadGeneratedMarkers(app: INestApplicationContext, count: number): Promise<object> {
  return withProgress({ text: 'Creating markers' }, (progress) =>
    app.get(GeneratedMarkersService).load(count, (done, total) => progress.update(done, total, 'markers')),
  );
}
