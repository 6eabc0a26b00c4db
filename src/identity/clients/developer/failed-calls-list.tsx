import type { VNode } from 'preact';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';
import { FormattedDateTime } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';

/** The last calls of an app that failed, and why: in English, as the app was told. */
export function FailedCallsList({ ui, calls }: { ui: ViewContext; calls: FailedCall[] }): VNode {
  const { failedCalls } = ui.messages.developer;
  return (
    <section class="card">
      <h2>{failedCalls.title}</h2>
      <p class="soft">{calls.length > 0 ? failedCalls.lead : failedCalls.none}</p>
      {calls.length > 0 && (
        <ol class="happenings">
          {calls.map((call) => (
            <FailedCallItem key={call.digest} ui={ui} call={call} />
          ))}
        </ol>
      )}
    </section>
  );
}

function FailedCallItem({ ui: { messages, language }, call }: { ui: ViewContext; call: FailedCall }): VNode {
  const times = new Intl.NumberFormat(language).format(call.count);
  return (
    <li>
      <p lang="en">
        <code>{call.endpoint}</code> <strong>{call.errorCode}</strong>
      </p>
      <p lang="en">{call.reason}</p>
      <p class="soft">
        <FormattedDateTime at={call.lastFailedAt} language={language} />
        {call.count > 1 && ` · ${interpolate(messages.developer.failedCalls.occurrences, { count: times })}`}
      </p>
    </li>
  );
}
