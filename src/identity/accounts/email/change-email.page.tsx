import type { VNode } from 'preact';
import { interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Account } from '../account.entity.js';
import { CURRENT_PASSWORD_INPUT } from '../password/change-password.page.js';
import { EmailUnavailableNotice, SendConfirmationForm } from '../email-link.page.js';

/** The link that was just sent. */
type SentLink = 'change' | 'confirmation';

interface ChangeEmailPageProps {
  account: Account;
  /** Whether this service sends e-mail. */
  isAvailable: boolean;
  sentLink?: SentLink | undefined;
  form: FormState;
}

const EMAIL_INPUT = { type: 'email', autocomplete: 'email', required: true } as const;

/** Returns the link that the query of the page names, if any. */
export function parseSentLink(query: URLSearchParams): SentLink | undefined {
  const sent = query.get('sent');
  return sent === 'change' || sent === 'confirmation' ? sent : undefined;
}

/** Renders the e-mail address, whether it is confirmed, and the form to change it. */
export function renderChangeEmailPage(
  viewContext: ViewContext,
  { account, isAvailable, sentLink, form }: ChangeEmailPageProps,
): View {
  const { credentials, fieldErrors } = viewContext.messages;
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  return {
    title: credentials.emailTitle,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        {sentLink && (
          <p class="success" role="status">
            {sentLink === 'change' ? credentials.changeLinkSent : credentials.confirmationSent}
          </p>
        )}
        <CurrentEmail viewContext={viewContext} account={account} isAvailable={isAvailable} />
        {isAvailable ? (
          <ChangeEmailForm viewContext={viewContext} form={form} />
        ) : (
          <EmailUnavailableNotice viewContext={viewContext} />
        )}
      </>
    ),
  };
}

type CurrentEmailProps = Pick<ChangeEmailPageProps, 'account' | 'isAvailable'> & { viewContext: ViewContext };

function CurrentEmail({ viewContext, account, isAvailable }: CurrentEmailProps): VNode {
  const { credentials } = viewContext.messages;
  if (account.email === null) return <p class="card">{credentials.noEmail}</p>;
  return (
    <section class="card">
      <p>{interpolateNodes(credentials.currentEmail, { email: <strong>{account.email}</strong> })}</p>
      <p>{account.emailVerifiedAt ? credentials.emailVerified : credentials.emailUnverified}</p>
      {!account.emailVerifiedAt && isAvailable && <SendConfirmationForm viewContext={viewContext} />}
    </section>
  );
}

function ChangeEmailForm({ viewContext, form }: { viewContext: ViewContext; form: FormState }): VNode {
  const { credentials, signIn } = viewContext.messages;
  return (
    <form method="post" action={`${viewContext.basePath}/account/email`} class="card" novalidate>
      <FormField
        name="email"
        label={credentials.newEmail}
        hint={credentials.newEmailHint}
        form={form}
        input={EMAIL_INPUT}
      />
      <FormField name="password" label={signIn.password} form={form} input={CURRENT_PASSWORD_INPUT} />
      <div class="actions">
        <button type="submit">{credentials.changeEmail}</button>
      </div>
    </form>
  );
}
