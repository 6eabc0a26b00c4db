import type { VNode } from 'preact';
import type { ActivityEventType } from '../../platform/audit/audit-event.entity.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { FormattedDateTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ActivityEntry } from './activity.service.js';

/** A page of what happened, the newest first, each in a sentence. */
export function renderActivityPage(ui: ViewContext, { data, page: { nextCursor } }: Page<ActivityEntry>): View {
  const { messages, basePath } = ui;
  return {
    title: messages.activity.title,
    body: (
      <>
        <p class="lead">{data.length === 0 ? messages.activity.none : messages.activity.lead}</p>
        {data.length > 0 && (
          <ol class="card happenings">
            {data.map((happening) => (
              <ActivityListItem key={happening.event.id} ui={ui} happening={happening} />
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

function ActivityListItem({
  ui: { messages, language },
  happening: { event, app },
}: {
  ui: ViewContext;
  happening: ActivityEntry;
}): VNode {
  const sentence = messages.activity.events[event.type as ActivityEventType];
  return (
    <li>
      <p>{interpolate(sentence, { app: app?.name ?? '', reason: event.detail ?? '' })}</p>
      <p class="soft">
        <FormattedDateTime at={event.occurredAt} language={language} />
        {event.ipAddress && ` · ${interpolate(messages.activity.from, { address: event.ipAddress })}`}
      </p>
    </li>
  );
}
