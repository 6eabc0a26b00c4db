import { ValidateIf } from 'class-validator';

/** A member that may be left out, and is not `null`. */
export function IsOptionalNotNull(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
