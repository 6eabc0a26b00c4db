import { ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';

/** Renders the form to download the export. It asks for the password if that is not recent. */
export function renderExportPage({ messages, basePath }: ViewContext, isRecent: boolean, form: FormState): View {
  const { accountExport, fieldErrors } = messages;
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  return {
    title: accountExport.title,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        <p class="lead">{accountExport.lead}</p>
        <p>{accountExport.contents}</p>
        <form method="post" action={`${basePath}/account/export`} class="card" novalidate>
          {!isRecent && (
            <FormField
              name="password"
              label={accountExport.password}
              hint={accountExport.passwordHint}
              form={form}
              input={PASSWORD_INPUT}
            />
          )}
          <div class="actions">
            <button type="submit">{accountExport.button}</button>
          </div>
        </form>
      </>
    ),
  };
}

const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password' } as const;
