import type { VNode } from 'preact';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { interpolate, interpolateNodes } from '../../platform/i18n/interpolate.js';
import type { Messages } from '../../platform/i18n/language.js';
import { FormattedDate, formatDuration, FormattedTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import { ActionForm } from './action-form.js';
import type { RecordLine } from './record-view.service.js';

interface AppRecordProps {
  viewContext: ViewContext;
  appId: string;
  lines: Page<RecordLine>;
  /** `APP_RECORD_RETENTION` in days. */
  retentionDays: number;
  canUndo: boolean;
}

/** What an app did, the newest line first, by day. */
export function AppRecord({ viewContext, appId, lines, retentionDays, canUndo }: AppRecordProps): VNode {
  const { messages, basePath, language, locale } = viewContext;
  const days = groupByDay(lines.data);
  const { nextCursor } = lines.page;
  return (
    <section class="card record" aria-labelledby="record">
      <h2 id="record">{messages.connectedApps.whatItDid}</h2>
      {days.length === 0 && <p>{messages.appRecord.none}</p>}
      {days.map(([day, ofDay]) => (
        <>
          <h3>
            <FormattedDate at={new Date(day)} locale={locale} />
          </h3>
          <LineList viewContext={viewContext} appId={appId} lines={ofDay} canUndo={canUndo} />
        </>
      ))}
      {nextCursor && (
        <p>
          <a rel="next" href={`${basePath}/account/apps/${appId}?${new URLSearchParams({ cursor: nextCursor })}`}>
            {messages.activity.older}
          </a>
        </p>
      )}
      <p class="secondary">
        {interpolate(messages.appRecord.help, { time: formatDuration(retentionDays, 'day', language) })}
      </p>
    </section>
  );
}

/** Returns the lines by day in UTC. */
function groupByDay(lines: RecordLine[]): [day: string, lines: RecordLine[]][] {
  return [...Map.groupBy(lines, ({ action }) => action.at.toISOString().slice(0, 10))];
}

interface LineListProps {
  viewContext: ViewContext;
  appId: string;
  lines: RecordLine[];
  canUndo: boolean;
}

/** Lines of the record, each with the button to undo it or the reason why there is none. */
export function LineList({ viewContext, appId, lines, canUndo }: LineListProps): VNode {
  const { messages, locale } = viewContext;
  return (
    <ol class="row-list">
      {lines.map((line) => {
        const { id, at } = line.action;
        return (
          <li key={id}>
            <div>
              <p id={id}>
                {interpolateNodes(messages.appRecord.actions[getActionKey(line)], {
                  title: <Subject viewContext={viewContext} line={line} />,
                })}
              </p>
              <p class="secondary">
                <FormattedTime at={at} locale={locale} />
                <State viewContext={viewContext} line={line} />
              </p>
            </div>
            {canUndo && line.state.kind === 'undoable' && (
              <ActionForm viewContext={viewContext} appId={appId} what={id} describedBy={id} class="quiet">
                {messages.appRecord.undo}
              </ActionForm>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function getActionKey({ action: { action }, edit }: RecordLine): keyof Messages['appRecord']['actions'] {
  return action === 'edit.suggested' ? `${action}.${edit!.type}` : action;
}

/** The name of the target of a line, as a link while the target exists. */
function Subject({ viewContext, line }: { viewContext: ViewContext; line: RecordLine }): VNode {
  const { action, edit, title, exists } = line;
  if (!exists) return <q>{title}</q>;
  const path = edit ? `/account/edits/${edit.id}` : `/collections/${action.targetId}`;
  return <a href={`${viewContext.basePath}${path}`}>{title}</a>;
}

/** Why a line cannot be undone, or when it was. */
function State({ viewContext, line: { state } }: { viewContext: ViewContext; line: RecordLine }): VNode | null {
  const { messages, locale } = viewContext;
  const { undoneOn, changedBy, deletedSince, statuses } = messages.appRecord;
  if (state.kind === 'decided') return <> · {statuses[state.status]}</>;
  if (state.kind === 'undone') {
    return <> · {interpolateNodes(undoneOn, { date: <FormattedDate at={state.at} locale={locale} /> })}</>;
  }
  if (state.kind !== 'changed') return null;
  const { app, at, action } = state.by;
  const date = <FormattedDate at={at} locale={locale} />;
  const message = action === 'collection.deleted' ? deletedSince : changedBy;
  return <> · {interpolateNodes<VNode | string>(message, { app: app.name, date })}</>;
}
