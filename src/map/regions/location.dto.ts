import { Transform } from 'class-transformer';
import { IsNumber, Max, Min } from 'class-validator';
import type { PointE7 } from './geo.js';

/** Rounds a coordinate to the precision of the database. */
const RoundToSevenDecimals = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? Math.round(value * 1e7) / 1e7 : value));

/** A point in degrees, WGS 84. */
export class Location {
  @RoundToSevenDecimals()
  @IsNumber()
  @Min(-90)
  @Max(90)
  lat!: number;

  @RoundToSevenDecimals()
  @IsNumber()
  @Min(-180)
  @Max(180)
  lon!: number;
}

/** Converts a stored point to degrees. */
export function toLocation({ latE7, lonE7 }: PointE7): Location {
  return { lat: latE7 / 1e7, lon: lonE7 / 1e7 };
}
