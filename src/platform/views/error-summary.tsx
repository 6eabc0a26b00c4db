import type { VNode } from 'preact';

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
