import { interpolate } from '../../../platform/i18n/interpolate.js';
import { ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';

/**
 * Renders the form that deletes the account: deleted data, kept data, and disabled apps.
 * @param ownApps the apps of the person, each with the number of people who use it
 */
export function renderDeletionPage(
  { messages, basePath }: ViewContext,
  ownApps: { name: string; peopleCount: number }[],
  form: FormState,
): View {
  const { accountDeletion, fieldErrors } = messages;
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  return {
    title: accountDeletion.title,
    status: isInvalid ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        <p class="lead">{accountDeletion.lead}</p>
        <h2>{accountDeletion.deletedTitle}</h2>
        <ul>
          {Object.values(accountDeletion.deleted).map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <h2>{accountDeletion.keptTitle}</h2>
        <ul>
          {Object.values(accountDeletion.kept).map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        {ownApps.length > 0 && (
          <>
            <h2>{accountDeletion.appsTitle}</h2>
            <p>{accountDeletion.appsLead}</p>
            <ul>
              {ownApps.map(({ name, peopleCount }) => (
                <li key={name}>{interpolate(accountDeletion.app, { app: name, count: String(peopleCount) })}</li>
              ))}
            </ul>
          </>
        )}
        <p>
          <a href={`${basePath}/account/export`}>{accountDeletion.exportFirst}</a>
        </p>
        <form method="post" action={`${basePath}/account/delete`} class="card" novalidate>
          <FormField name="password" label={accountDeletion.password} form={form} input={PASSWORD_INPUT} />
          <div class="actions">
            <button type="submit" class="danger">
              {accountDeletion.button}
            </button>
          </div>
        </form>
      </>
    ),
  };
}

/** Renders the confirmation that the account is deleted. */
export function renderDeletedPage({ messages: { accountDeletion } }: ViewContext): View {
  return {
    title: accountDeletion.doneTitle,
    body: (
      <>
        <p class="lead">{accountDeletion.done}</p>
        <p>{accountDeletion.doneReservation}</p>
      </>
    ),
  };
}

const PASSWORD_INPUT = { type: 'password', autocomplete: 'current-password' } as const;
