import { Transform } from 'class-transformer';
import { ApiSchema, RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { IsNumberBetween } from '../../platform/validation/members.decorator.js';
import { explainSwappedPoint, type PointE7 } from './geo.js';

/** Rounds a coordinate to the precision of the database. */
const RoundToSevenDecimals = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? Math.round(value * 1e7) / 1e7 : value));

/** A point in degrees, WGS 84. */
@ApiSchema('Location', 'A point in degrees (WGS 84), with up to seven decimals.')
export class Location {
  @RequestField('Latitude in degrees, -90 to 90. North of the equator is positive.', 52.1043)
  @RoundToSevenDecimals()
  @IsNumberBetween(-90, 90, explainSwappedPoint)
  lat!: number;

  @RequestField('Longitude in degrees, -180 to 180. East of Greenwich is positive.', 5.0266)
  @RoundToSevenDecimals()
  @IsNumberBetween(-180, 180)
  lon!: number;
}

/** Converts a stored point to degrees. */
export function toLocation({ latE7, lonE7 }: PointE7): Location {
  return { lat: latE7 / 1e7, lon: lonE7 / 1e7 };
}
