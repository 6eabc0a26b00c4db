import type { VNode } from 'preact';
import type { ViewContext } from '../../platform/views/view-context.js';

interface ActionFormProps {
  viewContext: ViewContext;
  appId: string;
  /** What to do: the id of a line or of a sign-in, or a word. */
  what: string;
  /** Id of the element that describes the button to screen readers. */
  describedBy?: string;
  class: 'danger' | 'quiet';
  /** The label of the button. */
  children: string;
}

/** A button of the page of an app. */
export function ActionForm({ viewContext, appId, what, describedBy, children, ...props }: ActionFormProps): VNode {
  return (
    <form method="post" action={`${viewContext.basePath}/account/apps/${appId}`}>
      <input type="hidden" name="what" value={what} />
      <button type="submit" class={props.class} {...(describedBy && { 'aria-describedby': describedBy })}>
        {children}
      </button>
    </form>
  );
}
