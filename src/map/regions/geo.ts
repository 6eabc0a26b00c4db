import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { splitCsvValues } from '../../platform/validation/query-values.decorator.js';
/**
 * West, south, east, north in degrees. If west is greater than east, the box crosses the 180th
 * meridian.
 */
export type BoundingBox = [west: number, south: number, east: number, north: number];

/**
 * Whether a value is a bounding box: four numbers in the range of degrees, south not above north.
 */
export function isBoundingBox(box: unknown): box is BoundingBox {
  if (!Array.isArray(box) || box.length !== 4 || !box.every((number) => Number.isFinite(number))) return false;
  const [west, south, east, north] = box as BoundingBox;
  return Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90 && south <= north;
}

/** A box in degrees × 10⁷ that does not cross the 180th meridian. */
export interface Area {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** A point in degrees × 10⁷. */
export interface PointE7 {
  latE7: number;
  lonE7: number;
}

const EARTH_RADIUS_METERS = 6_371_008.8;
const METERS_PER_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180;

const toE7 = (degrees: number): number => Math.round(degrees * 1e7);
const toRadians = (valueE7: number): number => (valueE7 / 1e7) * (Math.PI / 180);

/** Converts degrees to the stored precision. */
export function toPointE7({ lat, lon }: { lat: number; lon: number }): PointE7 {
  return { latE7: toE7(lat), lonE7: toE7(lon) };
}

/**
 * Splits a box into areas. There are two if the box crosses or touches the 180th meridian, because
 * the meridian has two longitudes, -180 and 180.
 */
export function toAreas([west, south, east, north]: BoundingBox): Area[] {
  const area = (from: number, to: number): Area => ({
    west: toE7(from),
    south: toE7(south),
    east: toE7(to),
    north: toE7(north),
  });
  if (west > east) return [area(west, 180), area(-180, east)];
  if (east === 180 && west > -180) return [area(west, east), area(-180, -180)];
  if (west === -180 && east < 180) return [area(west, east), area(180, 180)];
  return [area(west, east)];
}

/**
 * Returns areas that contain the circle around a point. They also contain points outside the
 * circle.
 * @param radius in meters
 */
export function toAreasAround({ latE7, lonE7 }: PointE7, radius: number): Area[] {
  const [lat, lon] = [latE7 / 1e7, lonE7 / 1e7];
  const latMargin = (radius * 1.001) / METERS_PER_DEGREE + 1e-6;
  const [south, north] = [Math.max(lat - latMargin, -90), Math.min(lat + latMargin, 90)];
  // Meridians converge at the poles: near a pole the circle can cross all of them.
  const narrowest = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const lonMargin = narrowest > 0 ? latMargin / narrowest : 180;
  if (lonMargin >= 180) return toAreas([-180, south, 180, north]);
  return toAreas([wrapLongitude(lon - lonMargin), south, wrapLongitude(lon + lonMargin), north]);
}

/**
 * Returns the haversine distance in meters, rounded to millimeters so that equal distances compare
 * as equal.
 */
export function computeDistanceMeters(one: PointE7, other: PointE7): number {
  const half = (a: number, b: number): number => Math.sin((toRadians(a) - toRadians(b)) / 2) ** 2;
  const between = Math.cos(toRadians(one.latE7)) * Math.cos(toRadians(other.latE7)) * half(one.lonE7, other.lonE7);
  const angle = 2 * Math.asin(Math.min(1, Math.sqrt(half(one.latE7, other.latE7) + between)));
  return Math.round(angle * EARTH_RADIUS_METERS * 1000) / 1000;
}

function wrapLongitude(lon: number): number {
  if (lon < -180) return lon + 360;
  return lon > 180 ? lon - 360 : lon;
}

/** The schema of a bounding box. */
export const BOUNDING_BOX_SCHEMA: JsonSchema = {
  type: 'array',
  items: { type: 'number', minimum: -180, maximum: 180 },
  minItems: 4,
  maxItems: 4,
};

/** Accepts the JSON array `[west, south, east, north]` in degrees. */
export function IsBoundingBox(): PropertyDecorator {
  return checkBoundingBox(
    'must be an array of four numbers in degrees, [west, south, east, north], with south not above north',
  );
}

/**
 * Parses the query value `west,south,east,north`, or four values of a repeated parameter. Returns a
 * value without numbers as it is.
 */
export function parseCsvBoundingBox(value: unknown): unknown {
  if (value === undefined) return undefined;
  const isNumber = (text: unknown): boolean => typeof text === 'string' && /^\s*-?\d{1,3}(\.\d+)?\s*$/.test(text);
  const numbers = splitCsvValues(value);
  return numbers.every(isNumber) ? numbers.map(Number) : value;
}

/** Accepts a bounding box of a query and parses it. */
export function IsCsvBoundingBox(): PropertyDecorator {
  const parse = Transform(({ value }: { value: unknown }) => parseCsvBoundingBox(value));
  const check = checkBoundingBox('must be four numbers in degrees, west,south,east,north, with south not above north');
  return (target, name) => [parse, check].forEach((decorate) => decorate(target, name));
}

function checkBoundingBox(requirement: string): PropertyDecorator {
  const message = ({ value }: ValidationArguments): string => requirement + explainSwappedBox(value);
  return ValidateBy({ name: 'isBox', validator: { validate: isBoundingBox } }, { message });
}

const SWAPPED = '; latitude and longitude may be swapped';

/** Returns the likely cause of an invalid latitude, if the object has a longitude beside it. */
export function explainSwappedPoint({ object }: ValidationArguments): string {
  const { lat, lon } = object as { lat?: unknown; lon?: unknown };
  return explainSwappedBox([lon, lat, lon, lat]);
}

function explainSwappedBox(box: unknown): string {
  const [west, south, east, north] = Array.isArray(box) ? (box as unknown[]) : [];
  const isMistaken = [south, north].some((latitude) => Math.abs(latitude as number) > 90);
  return isMistaken && isBoundingBox([south, west, north, east]) ? SWAPPED : '';
}
