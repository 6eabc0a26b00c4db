import { FormField } from '../../../platform/views/form-field.js';
import { EMPTY_FORM_STATE } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { EmailUnavailableNotice } from './email-unavailable-notice.js';

const USERNAME_INPUT = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true } as const;

/** Renders the form to get a link, or a notice if this service sends no e-mail. */
export function renderForgotPasswordPage(viewContext: ViewContext, isAvailable: boolean): View {
  const { messages, basePath } = viewContext;
  const { recovery, signIn } = messages;
  return {
    title: recovery.forgotPassword,
    body: isAvailable ? (
      <>
        <p class="lead">{recovery.forgotPasswordLead}</p>
        <form method="post" action={`${basePath}/forgot-password`} class="card">
          <FormField name="username" label={signIn.username} form={EMPTY_FORM_STATE} input={USERNAME_INPUT} />
          <div class="actions">
            <button type="submit">{recovery.sendLink}</button>
          </div>
        </form>
      </>
    ) : (
      <EmailUnavailableNotice viewContext={viewContext} />
    ),
  };
}

/** Renders the page after the form, which is the same for every input. */
export function renderLinkSentPage({ messages: { recovery }, basePath }: ViewContext): View {
  return {
    title: recovery.linkSentTitle,
    body: (
      <section class="card">
        <p>{recovery.linkSent}</p>
        <p class="secondary">{recovery.linkMissing}</p>
        <p>
          <a href={`${basePath}/forgot-password`}>{recovery.requestAgain}</a>
        </p>
      </section>
    ),
  };
}
