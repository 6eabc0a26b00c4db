import { interpolate } from '../../../platform/i18n/interpolate.js';
import { formatDuration } from '../../../platform/views/date-time.js';
import { CheckboxField, ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';

interface ChangePasswordPageProps {
  form: FormState;
  /** Whether the password was just changed. */
  isChanged?: boolean;
  /** Lifetime of an access token. */
  accessTokenLifetimeMinutes: number;
}

/** Input of a password that the person chooses. */
export const NEW_PASSWORD_INPUT = { type: 'password', autocomplete: 'new-password', required: true } as const;

/** Input of the password that the account has. */
export const CURRENT_PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password', required: true } as const;

/** Renders the form to change the password. */
export function renderChangePasswordPage(
  { messages: { credentials, fieldErrors }, basePath, language }: ViewContext,
  { form, isChanged = false, accessTokenLifetimeMinutes }: ChangePasswordPageProps,
): View {
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  const time = formatDuration(accessTokenLifetimeMinutes, 'minute', language);
  return {
    title: credentials.passwordTitle,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        {isChanged && (
          <p class="success" role="status">
            {credentials.passwordChanged}
          </p>
        )}
        <p class="lead">{credentials.passwordLead}</p>
        <form method="post" action={`${basePath}/account/password`} class="card" novalidate>
          <FormField
            name="current_password"
            label={credentials.currentPassword}
            form={form}
            input={CURRENT_PASSWORD_INPUT}
          />
          <FormField
            name="new_password"
            label={credentials.newPassword}
            hint={credentials.newPasswordHint}
            form={form}
            input={NEW_PASSWORD_INPUT}
          />
          <CheckboxField
            name="disconnect_apps"
            label={credentials.disconnectApps}
            hint={interpolate(credentials.disconnectAppsHint, { time })}
            form={form}
          />
          <div class="actions">
            <button type="submit">{credentials.changePassword}</button>
          </div>
        </form>
      </>
    ),
  };
}
