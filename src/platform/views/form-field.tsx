import type { InputHTMLAttributes, VNode } from 'preact';
import type { FormState } from './form-state.js';

/** A choice of a field. */
export interface FieldOption {
  value: string;
  label: string;
  /** Language of the label, if it is not the language of the page. */
  lang?: string;
}

interface FormFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  form: FormState;
  input?: InputHTMLAttributes;
  /** Number of lines. If it is given, the field is a textarea. */
  rows?: number;
  /** If they are given, the field is a list of choices. */
  options?: FieldOption[];
}

/** A labeled form field with its hint and error message. */
export function FormField({ name, label, hint, form, input = {}, rows, options }: FormFieldProps): VNode {
  const error = form.fieldErrors[name];
  const attributes = {
    id: name,
    name,
    'aria-describedby': listDescriptionIds(name, hint, error),
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    autofocus: isFirstInvalidField(form, name),
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {options && (
        <select {...attributes}>
          {options.map(({ value, label: text, lang }) => (
            <option key={value} value={value} lang={lang} selected={value === form.values[name]}>
              {text}
            </option>
          ))}
        </select>
      )}
      {rows !== undefined && (
        <textarea rows={rows} spellcheck={false} {...attributes}>
          {form.values[name]}
        </textarea>
      )}
      {!options && rows === undefined && <input type="text" {...attributes} value={form.values[name]} {...input} />}
    </div>
  );
}

/** A labeled checkbox with its hint. */
export function CheckboxField({ name, label, hint, form }: Omit<FormFieldProps, 'input' | 'rows' | 'options'>): VNode {
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={name}
        name={name}
        value="on"
        checked={name in form.values}
        aria-describedby={listDescriptionIds(name, hint, undefined)}
      />
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint sentence" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error message of a whole form, announced by screen readers. */
export function ErrorAlert({ children }: { children: string }): VNode {
  return (
    <p class="alert" role="alert">
      {children}
    </p>
  );
}

/** Whether the field is the first one with an error, which has the focus when the page opens. */
export function isFirstInvalidField({ fieldErrors }: Pick<FormState, 'fieldErrors'>, name: string): boolean {
  return Object.keys(fieldErrors)[0] === name;
}

function listDescriptionIds(name: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

interface ErrorSummaryProps {
  title: string;
  /** Error messages by field name, in the order of the form. */
  fieldErrors: Record<string, string>;
}

/** The errors of a rejected form, each with a link to its field. Screen readers announce it. */
export function ErrorSummary({ title, fieldErrors }: ErrorSummaryProps): VNode | null {
  const errors = Object.entries(fieldErrors);
  if (errors.length === 0) return null;
  return (
    <div class="alert" role="alert">
      <p>{title}</p>
      <ul>
        {errors.map(([name, message]) => (
          <li key={name}>
            <a href={`#${name}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
