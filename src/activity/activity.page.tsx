import type { VNode } from 'preact';
import type { PersonalType } from '../audit/audit-event.entity.js';
import type { Page } from '../http/paging.js';
import { Moment } from '../views/day.js';
import type { Ui } from '../views/ui.js';
import type { View } from '../views/view.js';
import { fill } from '../words/fill.js';
import type { Happening } from './activity.service.js';

/** A page of what happened, the newest first, each in a sentence. */
export function activityPage(ui: Ui, { data, page: { nextCursor } }: Page<Happening>): View {
  const { messages, base } = ui;
  return {
    title: messages.activity.title,
    body: (
      <>
        <p class="lead">{data.length === 0 ? messages.activity.none : messages.activity.lead}</p>
        {data.length > 0 && (
          <ol class="card happenings">
            {data.map((happening) => (
              <Line key={happening.event.id} ui={ui} happening={happening} />
            ))}
          </ol>
        )}
        {nextCursor && (
          <p>
            <a rel="next" href={`${base}/account/activity?${new URLSearchParams({ cursor: nextCursor })}`}>
              {messages.activity.older}
            </a>
          </p>
        )}
      </>
    ),
  };
}

function Line({ ui: { messages, language }, happening: { event, app } }: { ui: Ui; happening: Happening }): VNode {
  const sentence = messages.activity.events[event.type as PersonalType];
  return (
    <li>
      <p>{fill(sentence, { app: app?.name ?? '', reason: event.detail ?? '' })}</p>
      <p class="soft">
        <Moment at={event.at} language={language} />
        {event.fromAddress && ` · ${fill(messages.activity.from, { address: event.fromAddress })}`}
      </p>
    </li>
  );
}
