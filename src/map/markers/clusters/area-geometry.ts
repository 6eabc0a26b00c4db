import type { Area } from '../../regions/geo.js';

/** Offsets of the first cell: 180° W and 90° S, in degrees × 10⁷. */
const MAX_LON_E7 = 1_800_000_000;
const MAX_LAT_E7 = 900_000_000;

/** A range of cells of one level, both ends included. */
export interface CellRange {
  level: number;
  fromX: number;
  toX: number;
  fromY: number;
  toY: number;
}

/** Returns the cells that overlap an area. */
export function findOverlappingCells({ west, south, east, north }: Area, level: number): CellRange {
  const toCell = (offset: number): number => Math.floor(offset / 2 ** level);
  return {
    level,
    fromX: toCell(west + MAX_LON_E7),
    toX: toCell(east + MAX_LON_E7),
    fromY: toCell(south + MAX_LAT_E7),
    toY: toCell(north + MAX_LAT_E7),
  };
}

/** Returns the cells that are inside an area completely; undefined if there are none. */
export function findContainedCells(area: Area, level: number): CellRange | undefined {
  const size = 2 ** level;
  const first = (offset: number): number => Math.ceil(offset / size);
  // No marker is beyond 180° E and 90° N, so the last cell may extend beyond them.
  const last = (offset: number, max: number): number =>
    offset === 2 * max ? Math.floor(offset / size) : Math.floor((offset + 1) / size) - 1;
  const range = {
    level,
    fromX: first(area.west + MAX_LON_E7),
    toX: last(area.east + MAX_LON_E7, MAX_LON_E7),
    fromY: first(area.south + MAX_LAT_E7),
    toY: last(area.north + MAX_LAT_E7, MAX_LAT_E7),
  };
  return range.fromX <= range.toX && range.fromY <= range.toY ? range : undefined;
}

/** Returns the parts of an area outside a range of cells that it contains. They do not overlap. */
export function subtractCells(area: Area, { level, fromX, toX, fromY, toY }: CellRange): Area[] {
  const size = 2 ** level;
  const inner = {
    west: fromX * size - MAX_LON_E7,
    south: fromY * size - MAX_LAT_E7,
    east: Math.min((toX + 1) * size - 1 - MAX_LON_E7, area.east),
    north: Math.min((toY + 1) * size - 1 - MAX_LAT_E7, area.north),
  };
  return [
    { ...area, north: inner.south - 1 },
    { ...area, south: inner.north + 1 },
    { ...inner, west: area.west, east: inner.west - 1 },
    { ...inner, west: inner.east + 1, east: area.east },
  ].filter(({ west, south, east, north }) => west <= east && south <= north);
}

/** Splits an area across its longer side; undefined if it is a single point. */
export function splitArea(area: Area): [Area, Area] | undefined {
  const { west, south, east, north } = area;
  if (west === east && south === north) return undefined;
  if (east - west >= north - south) {
    const middle = Math.floor((west + east) / 2);
    return [
      { ...area, east: middle },
      { ...area, west: middle + 1 },
    ];
  }
  const middle = Math.floor((south + north) / 2);
  return [
    { ...area, north: middle },
    { ...area, south: middle + 1 },
  ];
}
