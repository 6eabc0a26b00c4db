/** West, south, east, north, in degrees; where west is greater than east, the box crosses the 180th meridian. */
export type Box = [west: number, south: number, east: number, north: number];

/** Whether something is a box of the globe. */
export function isBox(box: unknown): box is Box {
  if (!Array.isArray(box) || box.length !== 4 || !box.every((number) => Number.isFinite(number))) return false;
  const [west, south, east, north] = box as Box;
  return Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north;
}

/** A box of integers, degrees × 10⁷, that crosses nothing. */
export interface Area {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** A place, degrees × 10⁷. */
export interface Place {
  latE7: number;
  lonE7: number;
}

/** Metres. */
const EARTH_RADIUS = 6_371_008.8;
const METRES_PER_DEGREE = (EARTH_RADIUS * Math.PI) / 180;

const e7 = (degrees: number): number => Math.round(degrees * 1e7);
const radians = (valueE7: number): number => (valueE7 / 1e7) * (Math.PI / 180);

/** A place, as exact as it is stored. */
export function placeAt({ lat, lon }: { lat: number; lon: number }): Place {
  return { latE7: e7(lat), lonE7: e7(lon) };
}

/** The areas that make up a box: two where it crosses or touches the 180th meridian, which has a longitude on either side. */
export function areasOf([west, south, east, north]: Box): Area[] {
  const area = (from: number, to: number): Area => ({
    west: e7(from),
    south: e7(south),
    east: e7(to),
    north: e7(north),
  });
  if (west > east) return [area(west, 180), area(-180, east)];
  if (east === 180 && west > -180) return [area(west, east), area(-180, -180)];
  if (west === -180 && east < 180) return [area(west, east), area(180, 180)];
  return [area(west, east)];
}

/** Areas that hold everything within so many metres of a place, and more. */
export function areasAround({ latE7, lonE7 }: Place, radius: number): Area[] {
  const [lat, lon] = [latE7 / 1e7, lonE7 / 1e7];
  const high = (radius * 1.001) / METRES_PER_DEGREE + 1e-6;
  const [south, north] = [Math.max(lat - high, -90), Math.min(lat + high, 90)];
  // The meridians come together towards the poles: there a circle may hold all of them.
  const narrowest = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const wide = narrowest > 0 ? high / narrowest : 180;
  if (wide >= 180) return areasOf([-180, south, 180, north]);
  return areasOf([around(lon - wide), south, around(lon + wide), north]);
}

/** Metres between two places on a sphere (haversine), in whole millimetres so that equal is equal. */
export function distanceBetween(one: Place, other: Place): number {
  const half = (a: number, b: number): number => Math.sin((radians(a) - radians(b)) / 2) ** 2;
  const between = Math.cos(radians(one.latE7)) * Math.cos(radians(other.latE7)) * half(one.lonE7, other.lonE7);
  const angle = 2 * Math.asin(Math.min(1, Math.sqrt(half(one.latE7, other.latE7) + between)));
  return Math.round(angle * EARTH_RADIUS * 1000) / 1000;
}

function around(lon: number): number {
  if (lon < -180) return lon + 360;
  return lon > 180 ? lon - 360 : lon;
}
