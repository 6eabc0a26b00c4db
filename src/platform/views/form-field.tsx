import type { InputHTMLAttributes, VNode } from 'preact';
import { FormValidationError, formatFieldErrors } from '../validation/form-validation-error.js';
import type { ViewContext } from './view-context.js';

/** What a form said, for showing it again: values, and what is wrong with them, by the name of the field. */
export interface FormState {
  values: Record<string, string>;
  fieldErrors: Record<string, string>;
}

export const EMPTY_FORM_STATE: FormState = { values: {}, fieldErrors: {} };

interface FormFieldProps {
  name: string;
  label: string;
  hint?: string;
  form: FormState;
  input?: InputHTMLAttributes;
  /** How many lines; a single one, unless said. */
  rows?: number;
}

/** A labelled field, with its hint and what is wrong with it beside it. */
export function FormField({ name, label, hint, form, input = {}, rows }: FormFieldProps): VNode {
  const problem = form.fieldErrors[name];
  const shared = {
    id: name,
    name,
    'aria-describedby': toDescribedBy(name, hint, problem),
    'aria-invalid': problem === undefined ? undefined : ('true' as const),
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      {rows === undefined ? (
        <input type="text" {...shared} value={form.values[name]} {...input} />
      ) : (
        <textarea rows={rows} spellcheck={false} {...shared}>
          {form.values[name]}
        </textarea>
      )}
    </div>
  );
}

/** What is wrong with a form as a whole. */
export function ErrorAlert({ children }: { children: string }): VNode {
  return (
    <p class="alert" role="alert">
      {children}
    </p>
  );
}

function toDescribedBy(name: string, hint: string | undefined, problem: string | undefined): string | undefined {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** A form that could not be taken, with what was filled in but passwords. @throws error, where it is none of the form's */
export function toFormState(ui: ViewContext, form: URLSearchParams, error: unknown): FormState {
  const problems = toFieldErrors(ui, error);
  const values = Object.fromEntries([...form].filter(([name]) => name !== 'password'));
  return { values, fieldErrors: problems };
}

/** What is wrong with a form, by the name of the field. @throws error, where it is none of the form's */
export function toFieldErrors({ messages }: ViewContext, error: unknown): Record<string, string> {
  if (error instanceof FormValidationError) return formatFieldErrors(messages, error.fieldErrors);
  throw error;
}
