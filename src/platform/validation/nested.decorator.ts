import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { IsObject, ValidateNested, type ValidationOptions } from 'class-validator';

const NESTED_TYPE_METADATA = Symbol('nested');

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
