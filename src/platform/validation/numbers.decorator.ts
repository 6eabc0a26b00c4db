import { applyDecorators } from '@nestjs/common';
import { IsInt, IsNumber, Max, Min } from 'class-validator';

/** Accepts an integer from `min` to `max`. */
export function IsInteger(min: number, max: number): PropertyDecorator {
  const options = { message: `must be an integer from ${min} to ${max}` };
  return applyDecorators(IsInt(options), Min(min, options), Max(max, options));
}

/** Accepts a number from `min` to `max`. */
export function IsNumberBetween(min: number, max: number): PropertyDecorator {
  const options = { message: `must be a number from ${min} to ${max}` };
  return applyDecorators(IsNumber({}, options), Min(min, options), Max(max, options));
}
