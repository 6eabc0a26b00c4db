import type { VNode } from 'preact';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import { FormattedDateTime } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';

interface FailedCallsListProps {
  viewContext: ViewContext;
  failedCalls: FailedCall[];
}

/**
 * The last failed calls of an app. Endpoint, error code and reason are in English, as in the
 * response.
 */
export function FailedCallsList({ viewContext, failedCalls }: FailedCallsListProps): VNode {
  const { title, lead, none } = viewContext.messages.developer.failedCalls;
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="secondary">{failedCalls.length > 0 ? lead : none}</p>
      {failedCalls.length > 0 && (
        <ol class="event-list">
          {failedCalls.map((failedCall) => (
            <FailedCallItem key={failedCall.digest} viewContext={viewContext} failedCall={failedCall} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface FailedCallItemProps {
  viewContext: ViewContext;
  failedCall: FailedCall;
}

function FailedCallItem({ viewContext: { messages, language }, failedCall }: FailedCallItemProps): VNode {
  const { endpoint, errorCode, reason, lastFailedAt } = failedCall;
  const count = new Intl.NumberFormat(language).format(failedCall.count);
  return (
    <li>
      <p lang="en">
        <code>{endpoint}</code> <strong>{errorCode}</strong>
      </p>
      <p lang="en">{reason}</p>
      <p class="secondary">
        <FormattedDateTime at={lastFailedAt} language={language} />
        {failedCall.count > 1 && ` · ${interpolate(messages.developer.failedCalls.occurrences, { count })}`}
      </p>
    </li>
  );
}
