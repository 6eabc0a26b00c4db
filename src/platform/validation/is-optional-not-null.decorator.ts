import { ValidateIf } from 'class-validator';

/** Accepts a missing member, but not `null`. */
export function IsOptionalNotNull(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
