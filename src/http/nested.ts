import { applyDecorators, type Type } from '@nestjs/common';
import { Type as TypeOf } from 'class-transformer';
import { IsObject, ValidateNested, type ValidationOptions } from 'class-validator';

/** An object of a DTO of its own, or with `each` a list of them; a list where an object belongs is none. */
export function Nested(dto: () => Type<object>, options: Pick<ValidationOptions, 'each'> = {}): PropertyDecorator {
  return applyDecorators(IsObject(options), ValidateNested(options), TypeOf(dto));
}
