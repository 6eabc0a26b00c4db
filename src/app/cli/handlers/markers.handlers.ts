import { readFile } from 'node:fs/promises';
import { AccountStoreModule } from '../../../identity/accounts/account-store.module.js';
import { MarkersImportService } from '../../../map/markers/markers-import.service.js';
import { MarkersModule } from '../../../map/markers/markers.module.js';
import { withApplication } from '../application-context.js';
import { withProgress } from '../with-progress.js';

/** Imports a GeoJSON file. */
export async function importMarkers(_: object, file = ''): Promise<object> {
  const geojson = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`The file ${file} cannot be read: ${error.message}.`, { cause: error });
  });
  return withApplication([AccountStoreModule, MarkersModule], async (app) => {
    return withProgress({ text: `Reading ${file}` }, (progress) =>
      app.get(MarkersImportService).importGeoJson(geojson, {
        onProgress: (done, total) => progress.update(done, total, 'features'),
        onSkipped: (number, reason) => progress.warn(`Feature ${number} was skipped: ${reason}.`),
      }),
    );
  });
}
