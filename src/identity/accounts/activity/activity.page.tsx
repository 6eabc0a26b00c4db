import type { VNode } from 'preact';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';
import { FormattedDate, FormattedTime } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';

/** An audit event, and the name of the app that it concerns. */
export interface ActivityEntry {
  event: AuditEvent;
  appName: string;
}

/** Renders a page of audit events. */
export function renderActivityPage(
  viewContext: ViewContext,
  { data, page: { nextCursor } }: Page<ActivityEntry>,
): View {
  const { messages, basePath } = viewContext;
  return {
    title: messages.activity.title,
    body: (
      <>
        <p class="lead">{data.length === 0 ? messages.activity.none : messages.activity.lead}</p>
        {groupByDay(data).map(([day, entries]) => (
          <section key={day} class="card" aria-labelledby={`day-${day}`}>
            <h2 id={`day-${day}`}>
              <FormattedDate at={new Date(day)} locale={viewContext.locale} />
            </h2>
            <ol class="event-list">
              {groupEqual(entries).map((equal) => (
                <ActivityListItem
                  key={equal[0]!.event.id}
                  viewContext={viewContext}
                  entry={equal[0]!}
                  count={equal.length}
                />
              ))}
            </ol>
          </section>
        ))}
        {nextCursor && (
          <p>
            <a rel="next" href={`${basePath}/account/activity?${new URLSearchParams({ cursor: nextCursor })}`}>
              {messages.activity.older}
            </a>
          </p>
        )}
      </>
    ),
  };
}

/** Returns the entries by day in UTC. */
function groupByDay(entries: ActivityEntry[]): [day: string, entries: ActivityEntry[]][] {
  return [...Map.groupBy(entries, ({ event }) => event.occurredAt.toISOString().slice(0, 10))];
}

/** Returns the entries in groups of equal ones in a row. */
function groupEqual(entries: ActivityEntry[]): ActivityEntry[][] {
  const getContent = ({ event: { type, appId, detail, ipAddress, byOperator } }: ActivityEntry): string =>
    JSON.stringify([type, appId, detail, ipAddress, byOperator]);
  const groups: ActivityEntry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && getContent(last[0]!) === getContent(entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

interface AppNameProps {
  viewContext: ViewContext;
  entry: ActivityEntry;
}

interface ActivityListItemProps extends AppNameProps {
  /** Number of equal events; the entry is the last of them. */
  count: number;
}

function ActivityListItem({ viewContext, entry, count }: ActivityListItemProps): VNode {
  const { messages, locale, language } = viewContext;
  const { event } = entry;
  const { message, suffix } = selectMessage(viewContext, event);
  const detail = event.detail ?? messages.activity.unknownBrowser;
  return (
    <li>
      <p>
        {interpolateNodes<VNode | string>(message, {
          app: <AppName viewContext={viewContext} entry={entry} />,
          reason: detail,
          detail,
        })}
      </p>
      <p class="secondary">
        <FormattedTime at={event.occurredAt} locale={locale} />
        {count > 1 &&
          ` · ${interpolate(messages.activity.times, { count: new Intl.NumberFormat(language).format(count) })}`}
        {suffix !== undefined && ` · ${suffix}`}
        {event.ipAddress && ` · ${interpolate(messages.activity.from, { address: event.ipAddress })}`}
      </p>
    </li>
  );
}

/** The name of the app of an event. A connected app links to what it did. */
function AppName({ viewContext, entry: { event, appName } }: AppNameProps): VNode {
  const isConnected = !/^(app|moderation)\./.test(event.type);
  if (event.appId === null || !isConnected) return <>{appName}</>;
  return <a href={`${viewContext.basePath}/account/apps/${event.appId}`}>{appName}</a>;
}

/**
 * Returns the sentence of an event. If the operator caused it, the sentence or a suffix says so: a
 * sentence about an action of the reader has another form for the operator.
 */
function selectMessage(
  { messages: { activity } }: ViewContext,
  { type, byOperator }: AuditEvent,
): { message: string; suffix?: string } {
  const message = activity.events[type as keyof typeof activity.events];
  if (!byOperator) return { message };
  const operatorMessages: Partial<Record<string, string>> = activity.operatorEvents;
  const operatorMessage = operatorMessages[type];
  return operatorMessage === undefined ? { message, suffix: activity.byOperator } : { message: operatorMessage };
}
