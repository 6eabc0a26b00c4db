import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import {
  IsInt,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';

const NESTED_TYPE_METADATA = Symbol('nested');
const NULLABLE_METADATA = Symbol('nullable');

/**
 * Accepts an object that is validated by its own DTO, or a list of them with `each`. Rejects a list
 * in place of an object.
 */
export function Nested(dto: () => Type<object>, options: Pick<ValidationOptions, 'each'> = {}): PropertyDecorator {
  return applyDecorators(
    IsObject(options),
    ValidateNested(options),
    TypeOf(dto),
    Reflect.metadata(NESTED_TYPE_METADATA, dto),
  );
}

/** Returns the DTO of a nested member; undefined for other members. */
export function getNestedType(prototype: object, name: string): Type<object> | undefined {
  return (Reflect.getMetadata(NESTED_TYPE_METADATA, prototype, name) as (() => Type<object>) | undefined)?.();
}

/** Accepts a missing member, but not `null`. */
export function IsOptionalNotNull(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** Accepts `null` besides the values that the other rules accept. The member must be sent. */
export function IsNullable(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_, value) => value !== null),
    Reflect.metadata(NULLABLE_METADATA, true),
  );
}

/** Whether a member must be sent but can be `null`. */
export function isNullable(prototype: object, name: string): boolean {
  return Reflect.hasMetadata(NULLABLE_METADATA, prototype, name);
}

/** Accepts an integer from `min` to `max`. */
export function IsInteger(min: number, max: number): PropertyDecorator {
  const options = { message: `must be an integer from ${min} to ${max}` };
  return applyDecorators(IsInt(options), Min(min, options), Max(max, options));
}

/**
 * Accepts a number from `min` to `max`.
 * @param explain returns an addition to the message, for example a likely cause
 */
export function IsNumberBetween(
  min: number,
  max: number,
  explain: (args: ValidationArguments) => string = () => '',
): PropertyDecorator {
  const options = { message: (args: ValidationArguments) => `must be a number from ${min} to ${max}${explain(args)}` };
  return applyDecorators(IsNumber({}, options), Min(min, options), Max(max, options));
}
