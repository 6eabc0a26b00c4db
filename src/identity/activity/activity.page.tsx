import type { VNode } from 'preact';
import type { ActivityEventType } from '../../platform/audit/audit-event.entity.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { FormattedDateTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ActivityEntry } from './activity.service.js';

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
  const { messages, language } = viewContext;
  const { event, app } = entry;
  const message = messages.activity.events[event.type as ActivityEventType];
  const detail = event.detail ?? messages.activity.unknownBrowser;
  return (
    <li>
      <p>{interpolate(message, { app: app?.name ?? '', reason: detail, detail })}</p>
      <p class="secondary">
        <FormattedDateTime at={event.occurredAt} language={language} />
        {event.ipAddress && ` · ${interpolate(messages.activity.from, { address: event.ipAddress })}`}
      </p>
    </li>
  );
}
