import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { IsObject, ValidateNested, type ValidationOptions } from 'class-validator';

const NESTED_TYPE_METADATA = Symbol('nested');

/** An object of a DTO of its own, or with `each` a list of them; a list where an object belongs is none. */
export function Nested(dto: () => Type<object>, options: Pick<ValidationOptions, 'each'> = {}): PropertyDecorator {
  return applyDecorators(
    IsObject(options),
    ValidateNested(options),
    TypeOf(dto),
    Reflect.metadata(NESTED_TYPE_METADATA, dto),
  );
}

/** The DTO of such a member; undefined where it is no object of its own. */
export function getNestedType(prototype: object, name: string): Type<object> | undefined {
  return (Reflect.getMetadata(NESTED_TYPE_METADATA, prototype, name) as (() => Type<object>) | undefined)?.();
}
