import type { InputHTMLAttributes, VNode } from 'preact';
import { Problems, sentences } from '../words/problems.js';
import type { Ui } from './ui.js';

/** What a form said, for showing it again: values, and what is wrong with them, by the name of the field. */
export interface FormState {
  values: Record<string, string>;
  problems: Record<string, string>;
}

export const EMPTY_FORM: FormState = { values: {}, problems: {} };

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  form: FormState;
  input?: InputHTMLAttributes;
  /** How many lines; a single one, unless said. */
  rows?: number;
}

/** A labelled field, with its hint and what is wrong with it beside it. */
export function Field({ name, label, hint, form, input = {}, rows }: FieldProps): VNode {
  const problem = form.problems[name];
  const shared = {
    id: name,
    name,
    'aria-describedby': described(name, hint, problem),
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
export function Alert({ children }: { children: string }): VNode {
  return (
    <p class="alert" role="alert">
      {children}
    </p>
  );
}

function described(name: string, hint: string | undefined, problem: string | undefined): string | undefined {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** A form that could not be taken, with what was filled in but passwords. @throws error, where it is none of the form's */
export function refilled(ui: Ui, form: URLSearchParams, error: unknown): FormState {
  const problems = problemsOf(ui, error);
  const values = Object.fromEntries([...form].filter(([name]) => name !== 'password'));
  return { values, problems };
}

/** What is wrong with a form, by the name of the field. @throws error, where it is none of the form's */
export function problemsOf({ messages }: Ui, error: unknown): Record<string, string> {
  if (error instanceof Problems) return sentences(messages, error.list);
  throw error;
}
