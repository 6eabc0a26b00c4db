import type { VNode } from 'preact';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';
import { RelativeTime } from '../../../platform/views/date-time.js';
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
        {data.length > 0 && (
          <ol class="card event-list">
            {data.map((entry) => (
              <ActivityListItem key={entry.event.id} viewContext={viewContext} entry={entry} />
            ))}
          </ol>
        )}
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

interface ActivityListItemProps {
  viewContext: ViewContext;
  entry: ActivityEntry;
}

function ActivityListItem({ viewContext, entry }: ActivityListItemProps): VNode {
  const { messages, locale } = viewContext;
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
        <RelativeTime at={event.occurredAt} locale={locale} />
        {suffix !== undefined && ` · ${suffix}`}
        {event.ipAddress && ` · ${interpolate(messages.activity.from, { address: event.ipAddress })}`}
      </p>
    </li>
  );
}

/** The name of the app of an event. A connected app links to what it did. */
function AppName({ viewContext, entry: { event, appName } }: ActivityListItemProps): VNode {
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
