import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import type { RecordPage } from '../../platform/database/record-files.js';
import { toFeature } from './geojson/feature-collection.dto.js';
import type { MarkerKind } from './marker.entity.js';
import { PreparedMarkersStore } from './responses/prepared-markers.store.js';

/** The character before each record of a JSON text sequence (RFC 7464 §2.2). */
export const RECORD_SEPARATOR = '\x1e';

interface ExportOptions {
  /** Only markers of this kind. */
  kind?: MarkerKind;
  /** Number of markers that one statement reads. */
  pageSize: number;
}

/**
 * Reads the map as a GeoJSON text sequence (RFC 8142). Its records are the features of the API. The
 * first one also has the members `license` and `attribution`.
 */
@Injectable()
export class MarkersExportService {
  constructor(
    private readonly responses: PreparedMarkersStore,
    private readonly settings: Settings,
  ) {}

  /** Returns the number of live markers. */
  count(): Promise<number> {
    return this.responses.countLive();
  }

  /** Reads the live markers in the order in which they came to the map. */
  async *read({ kind, pageSize }: ExportOptions): AsyncGenerator<RecordPage> {
    let members = this.settings.licenseMembers;
    for (let after: number | undefined = -1; after !== undefined;) {
      const { markers, last } = await this.responses.findPage(after, pageSize, kind);
      const features = markers.map((marker) => {
        const { type, ...feature } = toFeature(marker);
        const record = { type, ...members, ...feature };
        members = {};
        return `${RECORD_SEPARATOR}${JSON.stringify(record)}\n`;
      });
      if (features.length > 0) yield { text: features.join(''), count: features.length };
      after = last;
    }
  }
}
