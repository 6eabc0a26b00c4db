import { interpolate } from '../../platform/i18n/interpolate.js';
import { ErrorSummary, FormField } from '../../platform/views/form-field.js';
import type { FormState } from '../../platform/views/form-state.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { ModeratedContributor, ModerationAction } from './moderation.service.js';

interface ConfirmationPageProps {
  contributor: ModeratedContributor;
  action: ModerationAction;
  form: FormState;
}

/** Renders the question before an action of a moderator. */
export function renderConfirmationPage(
  { messages, basePath }: ViewContext,
  { contributor: { kind, id, name }, action, form }: ConfirmationPageProps,
): View {
  const texts = messages.moderation;
  const path = `${basePath}/moderation/${kind}/${id}`;
  const { question, effect, button } = texts.confirm[action];
  return {
    title: interpolate(question, { name }),
    status: Object.keys(form.fieldErrors).length > 0 ? 422 : 200,
    isEnhanced: true,
    body: (
      <>
        <ErrorSummary title={messages.fieldErrors.title} fieldErrors={form.fieldErrors} />
        <p class="lead">{effect}</p>
        <form method="post" action={`${path}/${action}`} class="card" novalidate>
          {action !== 'disable' && <FormField name="reason" label={texts.reason} form={form} rows={3} />}
          {action === 'block' && (
            <FormField name="until" label={texts.until} hint={texts.untilHint} form={form} input={{ type: 'date' }} />
          )}
          <div class="actions">
            <button type="submit" class="danger">
              {button}
            </button>
            <a class="button quiet" href={path}>
              {texts.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  };
}
