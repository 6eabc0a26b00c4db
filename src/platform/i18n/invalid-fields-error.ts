import { interpolate } from './interpolate.js';
import type { Messages } from './language.js';

/** An invalid field. */
export interface FieldError {
  field: string;
  code: Exclude<keyof Messages['fieldErrors'], 'title'>;
  /** Replaces `{value}` in the message. */
  value?: string;
  /** A valid value. It replaces `{suggestion}` in the message. */
  suggestion?: string;
}

/**
 * Values that cannot be stored because of invalid fields. Pages and the command line have their own
 * sentences for the codes.
 */
export class InvalidFieldsError extends Error {
  override readonly name = 'InvalidFieldsError';

  constructor(readonly fieldErrors: FieldError[]) {
    super(fieldErrors.map(({ field, code }) => `${field}: ${code}`).join(', '));
  }
}

/** Returns the message of the first error of each field, in the order of the errors. */
export function formatFieldErrors(messages: Messages, errors: FieldError[]): Record<string, string> {
  const firstErrors = errors.filter(({ field }, index) => errors.findIndex((error) => error.field === field) === index);
  return Object.fromEntries(firstErrors.map((error) => [error.field, formatFieldError(messages, error)]));
}

function formatFieldError({ fieldErrors }: Messages, { code, value = '', suggestion = '' }: FieldError): string {
  return interpolate(fieldErrors[code], { value, suggestion });
}
