import type { VNode } from 'preact';
import { ErrorAlert } from '../../../platform/views/form-field.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';

/** A confirmation that an action succeeded, announced by screen readers. */
export function SuccessMessage({ children }: { children: string }): VNode {
  return (
    <p class="success" role="status">
      {children}
    </p>
  );
}

interface ValidationAlertProps {
  viewContext: ViewContext;
  isInvalid: boolean;
}

/** The error message of a form with invalid fields. */
export function ValidationAlert({ viewContext, isInvalid }: ValidationAlertProps): VNode | null {
  return isInvalid ? <ErrorAlert>{viewContext.messages.fieldErrors.title}</ErrorAlert> : null;
}

/** A link to the list of apps. */
export function BackLink({ viewContext }: { viewContext: ViewContext }): VNode {
  return (
    <p>
      <a href={buildDeveloperAppsPath(viewContext)}>{viewContext.messages.developer.back}</a>
    </p>
  );
}
