import { CheckboxField, ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import { EMPTY_FORM_STATE, type FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { EmailUnavailableNotice } from '../email-link.page.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { NEW_PASSWORD_INPUT } from './change-password.page.js';
import type { ResetTarget } from './password-reset.service.js';

const USERNAME_INPUT = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true } as const;

/** Renders the form to get a link, or a notice if this service sends no e-mail. */
export function renderForgotPasswordPage(viewContext: ViewContext, isAvailable: boolean, username = ''): View {
  const { messages, basePath } = viewContext;
  const { recovery, signIn } = messages;
  const form = { ...EMPTY_FORM_STATE, values: { username } };
  return {
    title: recovery.forgotPassword,
    body: isAvailable ? (
      <>
        <p class="lead">{recovery.forgotPasswordLead}</p>
        <form method="post" action={`${basePath}/forgot-password`} class="card">
          <FormField name="username" label={signIn.username} form={form} input={USERNAME_INPUT} />
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

interface ResetPasswordPageProps {
  /** The secret of the link, which the form repeats. */
  token: string;
  target: ResetTarget;
  /** Undefined if the form was not submitted yet. */
  form?: FormState | undefined;
}

/** The form before it is submitted: a thief of the account keeps nothing by default. */
const INITIAL_FORM: FormState = { values: { disconnect_apps: 'on', remove_passkeys: 'on' }, fieldErrors: {} };

/** Renders the form to set a new password. */
export function renderResetPasswordPage(
  { messages: { recovery, credentials, fieldErrors }, basePath }: ViewContext,
  { token, target, form = INITIAL_FORM }: ResetPasswordPageProps,
): View {
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  return {
    title: recovery.resetPassword,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        <p class="lead">{interpolateNodes(recovery.resetAccount, { username: <strong>{target.username}</strong> })}</p>
        <form method="post" action={`${basePath}/reset-password`} class="card" novalidate>
          <input type="hidden" name="token" value={token} />
          <FormField
            name="password"
            label={credentials.newPassword}
            hint={credentials.newPasswordHint}
            form={form}
            input={NEW_PASSWORD_INPUT}
          />
          {target.isFirstProof ? (
            <p>{recovery.firstProof}</p>
          ) : (
            <>
              <CheckboxField
                name="disconnect_apps"
                label={credentials.disconnectApps}
                hint={formatNames(recovery.connectedApps, target.appNames)}
                form={form}
              />
              <CheckboxField
                name="remove_passkeys"
                label={recovery.removePasskeys}
                hint={formatNames(recovery.passkeys, target.passkeyNames)}
                form={form}
              />
            </>
          )}
          <p class="secondary">{recovery.resetEffect}</p>
          <div class="actions">
            <button type="submit">{recovery.setPassword}</button>
          </div>
        </form>
      </>
    ),
  };
}

/** Returns a sentence with names; undefined if there are none. */
function formatNames(text: string, names: string[]): string | undefined {
  return names.length > 0 ? interpolate(text, { names: names.join(', ') }) : undefined;
}

/**
 * Renders the page after the password was set.
 * @param endedSession whether the session of this browser ended
 */
export function renderPasswordSetPage(viewContext: ViewContext, endedSession: boolean): View {
  const { recovery, signIn } = viewContext.messages;
  if (endedSession) viewContext.viewer = undefined;
  return {
    title: recovery.passwordSet,
    body: (
      <section class="card">
        <p role="status">{recovery.passwordSetHelp}</p>
        <p>
          <a href={`${viewContext.basePath}/sign-in?return_to=%2Faccount%2Fsafety`}>{signIn.button}</a>
        </p>
      </section>
    ),
  };
}
