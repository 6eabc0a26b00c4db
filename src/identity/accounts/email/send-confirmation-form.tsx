import type { VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';

/**
 * The form that sends another link to confirm the e-mail address. Show it for an address that is
 * not verified, if this service sends e-mail.
 */
export function SendConfirmationForm({ viewContext }: { viewContext: ViewContext }): VNode {
  const { basePath, messages } = viewContext;
  return (
    <form method="post" action={`${basePath}/account/email/send-again`}>
      <button type="submit" class="quiet">
        {messages.credentials.sendAgain}
      </button>
    </form>
  );
}
