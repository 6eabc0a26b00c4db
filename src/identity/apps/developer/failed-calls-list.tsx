import type { VNode } from 'preact';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { FormattedDateTime, RelativeTime } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { FailedCall } from '../failed-calls/failed-call.entity.js';
import { buildDeveloperAppsPath } from './developer-components.js';

/** Number of failed calls that are always visible. The older ones are in a disclosure widget. */
const VISIBLE_CALLS = 10;

interface FailedCallsListProps {
  viewContext: ViewContext;
  failedCalls: FailedCall[];
}

interface FailedCallsSectionProps extends FailedCallsListProps {
  appId: string;
}

/**
 * The last failed calls of an app, one item per violated rule. Endpoint, error code and reason are
 * in English, as in the response.
 */
export function FailedCallsSection({ viewContext, appId, failedCalls }: FailedCallsSectionProps): VNode {
  const { title, lead, none, older, clear } = viewContext.messages.developer.failedCalls;
  const olderCalls = failedCalls.slice(VISIBLE_CALLS);
  return (
    <section class="card" aria-labelledby="failed-calls">
      <h2 id="failed-calls">{title}</h2>
      <p class="secondary">{failedCalls.length > 0 ? lead : none}</p>
      <FailedCallItems viewContext={viewContext} failedCalls={failedCalls.slice(0, VISIBLE_CALLS)} />
      {olderCalls.length > 0 && (
        <details>
          <summary>{interpolate(older, { count: formatCount(viewContext, olderCalls.length) })}</summary>
          <FailedCallItems viewContext={viewContext} failedCalls={olderCalls} />
        </details>
      )}
      {failedCalls.length > 0 && (
        <form method="post" action={buildDeveloperAppsPath(viewContext, appId, 'failed-calls')}>
          <button type="submit" class="quiet small">
            {clear}
          </button>
        </form>
      )}
    </section>
  );
}

function FailedCallItems({ viewContext, failedCalls }: FailedCallsListProps): VNode | null {
  if (failedCalls.length === 0) return null;
  return (
    <ol class="event-list">
      {failedCalls.map((failedCall) => (
        <FailedCallItem key={failedCall.digest} viewContext={viewContext} failedCall={failedCall} />
      ))}
    </ol>
  );
}

interface FailedCallItemProps {
  viewContext: ViewContext;
  failedCall: FailedCall;
}

function FailedCallItem({ viewContext, failedCall }: FailedCallItemProps): VNode {
  const { messages, locale } = viewContext;
  const { endpoint, errorCode, reason, firstFailedAt, lastFailedAt } = failedCall;
  const count = formatCount(viewContext, failedCall.count);
  const firstTime = <FormattedDateTime at={firstFailedAt} locale={locale} />;
  return (
    <li>
      <p lang="en">
        <code>{endpoint}</code> <strong>{errorCode}</strong>
      </p>
      <p lang="en">{reason}</p>
      <ValueComparison viewContext={viewContext} failedCall={failedCall} />
      <p class="secondary">
        <RelativeTime at={lastFailedAt} locale={locale} />
        {failedCall.count > 1 && (
          <>
            {' · '}
            {interpolateNodes(messages.developer.failedCalls.occurrences, { count, date: firstTime })}
          </>
        )}
      </p>
    </li>
  );
}

/** The values that the rule accepts beside the values that the calls sent, the newest first. */
function ValueComparison({ viewContext: { messages }, failedCall }: FailedCallItemProps): VNode | null {
  const { accepted, sentValues } = failedCall;
  const { sources, sent, noValue } = messages.developer.failedCalls;
  if (!accepted && sentValues.length === 0) return null;
  return (
    <dl class="comparison">
      {accepted && <ValueList term={sources[accepted.source]} values={accepted.values} noValue={noValue} />}
      {sentValues.length > 0 && (
        <ValueList term={sent} values={sentValues.map(({ value }) => value)} noValue={noValue} />
      )}
    </dl>
  );
}

interface ValueListProps {
  term: string;
  values: readonly string[];
  noValue: string;
}

function ValueList({ term, values, noValue }: ValueListProps): VNode {
  return (
    <>
      <dt>{term}</dt>
      <dd>
        <ul>
          {(values.length > 0 ? values : ['']).map((value) => (
            <li key={value}>{value === '' ? noValue : <code>{value}</code>}</li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function formatCount({ language }: ViewContext, count: number): string {
  return new Intl.NumberFormat(language).format(count);
}
