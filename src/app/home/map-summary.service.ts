import { Injectable } from '@nestjs/common';
import { ArtistsStore } from '../../map/artists/artists.store.js';
import { MarkerClustersService } from '../../map/markers/clusters/marker-clusters.service.js';
import type { ArtworkSummary } from '../../map/markers/marker.dto.js';
import { MarkersService } from '../../map/markers/markers.service.js';
import type { MatchCount } from '../../map/markers/search/marker-search.service.js';
import type { BoundingBox } from '../../map/regions/geo.js';
import { toBoundingBox } from '../../map/regions/region.entity.js';
import { RegionsStore } from '../../map/regions/regions.store.js';
import { type MapLayout, type MapPoint, type MapRegion, renderMapPicture } from './map-picture.js';

/** What the home page shows of the map. */
export interface MapSummary {
  artworks: MatchCount;
  artistCount: number;
  /** Number of regions with at least one marker. */
  regionCount: number;
  newest: ArtworkSummary[];
  /** The regions of the picture; none on an empty map. */
  regions: MapRegion[];
  /** The picture as SVG, in each layout. */
  pictures: Record<MapLayout, string>;
}

/** Time for which the home page shows the same summary. */
export const SUMMARY_LIFETIME_SECONDS = 300;

const NEWEST_COUNT = 6;
const MAX_REGIONS = 6;

/** Limit of dots of a region. It keeps the picture below 40 kB. */
const MAX_POINTS = 80;

/** Number of cells across a region whose markers become one dot. */
const CELLS_ACROSS = 16;

const WORLD = { name: '', box: [-180, -90, 180, 90] satisfies BoundingBox };

/** Reads numbers, names and locations from the map for the home page. */
@Injectable()
export class MapSummaryService {
  private current: { summary: Promise<MapSummary>; expiresAt: number } | undefined;

  constructor(
    private readonly artists: ArtistsStore,
    private readonly clusters: MarkerClustersService,
    private readonly markers: MarkersService,
    private readonly regions: RegionsStore,
  ) {}

  /** Returns the summary. It is at most 5 minutes old. That of an empty map is always new. */
  async get(): Promise<MapSummary> {
    if (!this.current || this.current.expiresAt <= Date.now()) {
      this.current = { summary: this.load(), expiresAt: Date.now() + SUMMARY_LIFETIME_SECONDS * 1000 };
    }
    const { current } = this;
    const isUseful = await current.summary.then(
      ({ regions }) => regions.length > 0,
      () => false,
    );
    if (!isUseful && this.current === current) this.current = undefined;
    return current.summary;
  }

  private async load(): Promise<MapSummary> {
    const listed = (await this.regions.list()).filter(({ markerCount }) => markerCount > 0);
    const largest = listed.toSorted((one, other) => other.markerCount - one.markerCount).slice(0, MAX_REGIONS);
    const boxes = largest.map((region) => ({ name: region.name, box: toBoundingBox(region) }));
    const regions: MapRegion[] = [];
    for (const { name, box } of boxes.length > 0 ? boxes : [WORLD]) {
      const points = await this.listPoints(box);
      const markerCount = points.reduce((sum, { count }) => sum + count, 0);
      if (markerCount > 0) regions.push({ name, markerCount, points: selectLargest(points) });
    }
    return {
      artworks: await this.markers.countArtworks(),
      artistCount: await this.artists.count(),
      regionCount: listed.length,
      newest: await this.markers.listNewestArtworks(NEWEST_COUNT),
      regions,
      pictures: { wide: renderMapPicture(regions, 'wide'), narrow: renderMapPicture(regions, 'narrow') },
    };
  }

  private async listPoints(box: BoundingBox): Promise<MapPoint[]> {
    return (await this.clusters.list({ bbox: box, zoom: chooseZoom(box) })).data;
  }
}

/** Returns the zoom level at which about `CELLS_ACROSS` cells are side by side in a box. */
function chooseZoom([west, , east]: BoundingBox): number {
  const width = west <= east ? east - west : east - west + 360;
  const zoom = Math.round(Math.log2((CELLS_ACROSS * 2 ** 30) / 1e7 / Math.max(width, 1e-6)));
  return Math.min(Math.max(zoom, 0), 20);
}

function selectLargest(points: MapPoint[]): MapPoint[] {
  return points.toSorted((one, other) => other.count - one.count).slice(0, MAX_POINTS);
}
