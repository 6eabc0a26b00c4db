import type { ComponentChildren, VNode } from 'preact';
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

interface CopyableProps {
  id: string;
  title: string;
  /** The value, which a button can copy. */
  children: ComponentChildren;
}

/** A value with its title, and a button that copies it. */
export function Copyable({ id, title, children }: CopyableProps): VNode {
  return (
    <>
      <h2>{title}</h2>
      <div class="value" id={id} data-copy>
        {children}
      </div>
    </>
  );
}

/** A link to the list of apps. */
export function BackLink({ viewContext }: { viewContext: ViewContext }): VNode {
  return (
    <p>
      <a href={buildDeveloperAppsPath(viewContext)}>{viewContext.messages.developer.back}</a>
    </p>
  );
}
