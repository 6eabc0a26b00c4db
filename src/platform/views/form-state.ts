import { InvalidFieldsError, formatFieldErrors } from '../i18n/invalid-fields-error.js';
import type { ViewContext } from './view-context.js';

/** Values and error messages of a form, by field name. */
export interface FormState {
  values: Record<string, string>;
  fieldErrors: Record<string, string>;
}

/** State of a form that was not submitted yet. */
export const EMPTY_FORM_STATE: FormState = { values: {}, fieldErrors: {} };

/**
 * Returns the state of a rejected form: its values, except passwords, and the error messages.
 * @throws the error itself if it is not an InvalidFieldsError
 */
export function toFormState(viewContext: ViewContext, form: URLSearchParams, error: unknown): FormState {
  const fieldErrors = toFieldErrors(viewContext, error);
  const values = Object.fromEntries([...form].filter(([name]) => !name.includes('password')));
  return { values, fieldErrors };
}

/**
 * Returns the error messages of a rejected form by field name.
 * @throws the error itself if it is not an InvalidFieldsError
 */
export function toFieldErrors({ messages }: ViewContext, error: unknown): Record<string, string> {
  if (error instanceof InvalidFieldsError) return formatFieldErrors(messages, error.fieldErrors);
  throw error;
}
