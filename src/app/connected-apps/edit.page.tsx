import type { VNode } from 'preact';
import { getTargetTitle } from '../../map/edits/edit-targets.service.js';
import { formatValue } from '../../map/edits/view/edit-view.js';
import type { EditView } from '../../map/edits/view/edit-views.dto.js';
import { FormattedDateTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';

/** Renders a suggestion: its changes, and what became of it. */
export function renderEditPage(
  viewContext: ViewContext,
  { edit, diff, target }: EditView,
  artistNames: Map<string, string>,
): View {
  const { messages, locale } = viewContext;
  const { appRecord } = messages;
  return {
    title: getTargetTitle(edit, target),
    body: (
      <>
        <section class="card">
          <dl>
            <Entry name={appRecord.status}>{appRecord.statuses[edit.status]}</Entry>
            <Entry name={appRecord.suggestedOn}>
              <FormattedDateTime at={new Date(edit.createdAt)} locale={locale} />
            </Entry>
            {edit.client && <Entry name={appRecord.app}>{edit.client.name}</Entry>}
            {edit.comment && <Entry name={appRecord.comment}>{edit.comment}</Entry>}
            {edit.decisionComment && <Entry name={appRecord.decision}>{edit.decisionComment}</Entry>}
          </dl>
        </section>
        {diff.length > 0 && (
          <section class="card" aria-labelledby="changes">
            <h2 id="changes">{appRecord.changes}</h2>
            <dl>
              {diff.map(({ field, from, to }) => (
                <Entry key={field} name={appRecord.fields[field as keyof typeof appRecord.fields]}>
                  {edit.type === 'create'
                    ? formatValue(to, artistNames)
                    : `${formatValue(from, artistNames)} → ${formatValue(to, artistNames)}`}
                </Entry>
              ))}
            </dl>
          </section>
        )}
      </>
    ),
  };
}

function Entry({ name, children }: { name: string; children: VNode | string }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
