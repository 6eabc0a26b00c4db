import type { INestApplicationContext } from '@nestjs/common';
import { DemoModule } from '../../demo/demo.module.js';
import { DemoService } from '../../demo/demo.service.js';
import { GeneratedMarkersService } from '../../demo/generated-markers.service.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

/** Loads the demo data and, with `--scale`, generated markers. */
export function loadDemo({ scale }: { scale?: string }): Promise<object> {
  return withApplication([MetricsModule, DemoModule], async (app) => {
    const demo = await app.get(DemoService).load();
    if (scale !== undefined) return { ...demo, ...(await loadGeneratedMarkers(app, scale)) };
    if (!demo) throw new Error('The database is not empty, so the demo data was not loaded.');
    return demo;
  });
}

async function loadGeneratedMarkers(app: INestApplicationContext, scale: string): Promise<object> {
  if (!/^[1-9]\d{0,7}$/.test(scale)) throw new Error('--scale takes a number of markers, such as 100000.');
  return withProgress({ text: 'Creating markers' }, (progress) =>
    app.get(GeneratedMarkersService).load(Number(scale), (done, total) => progress.update(done, total, 'markers')),
  );
}
