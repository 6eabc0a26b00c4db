import { en } from '../i18n/en.js';
import { interpolate } from '../i18n/interpolate.js';
import type { Messages } from '../i18n/messages.js';

/** What is wrong with a field that somebody filled in. */
export interface FieldError {
  field: string;
  code: keyof Messages['fieldErrors'];
  /** What stands in the sentence's `{value}`. */
  value?: string;
}

/** Something that cannot be stored as it was filled in; nothing was. Its message is for those who used no page. */
export class FormValidationError extends Error {
  override readonly name = 'Problems';

  constructor(readonly fieldErrors: FieldError[]) {
    super(fieldErrors.map((problem) => formatFieldError(en, problem)).join(' '));
  }
}

/** What is wrong, a sentence for each field. */
export function formatFieldErrors(messages: Messages, list: FieldError[]): Record<string, string> {
  return Object.fromEntries([...list].reverse().map((problem) => [problem.field, formatFieldError(messages, problem)]));
}

function formatFieldError({ fieldErrors }: Messages, { code, value = '' }: FieldError): string {
  return interpolate(fieldErrors[code], { value });
}
