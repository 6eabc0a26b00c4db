import type { VNode } from 'preact';
import type { EditViewPage } from '../../map/edits/view/edit-views.dto.js';
import { interpolate, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { FormattedDate, FormattedDateTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LISTED_STATUSES, type ListedStatus, type ModeratedContributor } from './moderation.service.js';

/** Renders the suggestions of one author or app, and the buttons of moderators. */
export function renderContributorPage(
  viewContext: ViewContext,
  contributor: ModeratedContributor,
  { status, edits }: { status: ListedStatus; edits: EditViewPage & { since: Date } },
): View {
  const { messages, basePath, locale } = viewContext;
  const texts = messages.moderation;
  const path = `${basePath}/moderation/${contributor.kind}/${contributor.id}`;
  const since = edits.since.toISOString().slice(0, 10);
  const nextQuery = new URLSearchParams({ status, since, cursor: edits.page.nextCursor ?? '' });
  const labels = { reject: texts.rejectAll, block: texts.block, disable: texts.disable };
  const state = describeState(viewContext, contributor);
  return {
    title: contributor.name,
    body: (
      <>
        <p>
          <a href={`${basePath}/moderation`}>{texts.title}</a>
        </p>
        {(state !== null || contributor.actions.length > 0) && (
          <div class="card">
            {state}
            <div class="actions">
              {contributor.actions.map((action) => (
                <form key={action} action={`${path}/${action}`}>
                  <button type="submit" class="danger">
                    {labels[action]}
                  </button>
                </form>
              ))}
            </div>
          </div>
        )}
        <section class="card" aria-labelledby="suggestions">
          <h2 id="suggestions">{texts.suggestions}</h2>
          <p>
            {LISTED_STATUSES.map((listed, index) => (
              <>
                {index > 0 && ' · '}
                {listed === status ? (
                  <strong>{formatCount(viewContext, contributor, listed)}</strong>
                ) : (
                  <a href={`${path}?status=${listed}`}>{formatCount(viewContext, contributor, listed)}</a>
                )}
              </>
            ))}
          </p>
          <ul class="link-list">
            {edits.data.map(({ edit, summary, target }) => (
              <li key={edit.id}>
                <a href={`${basePath}/account/edits/${edit.id}`}>{summary}</a>
                <p class="secondary">
                  <FormattedDate at={new Date(edit.createdAt)} locale={locale} />
                  {[target?.title, contributor.kind === 'apps' ? edit.author.username : edit.client?.name]
                    .filter(Boolean)
                    .map((text) => ` · ${text}`)}
                </p>
              </li>
            ))}
          </ul>
          {edits.page.nextCursor && (
            <p>
              <a rel="next" href={`${path}?${nextQuery}`}>
                {messages.appRecord.more}
              </a>
            </p>
          )}
        </section>
      </>
    ),
  };
}

/** Returns a number of suggestions, such as `Open: 12`. */
export function formatCount(
  { messages, locale }: ViewContext,
  contributor: ModeratedContributor,
  status: ListedStatus,
): string {
  return interpolate(messages.moderation.counts[status], { count: contributor[status].toLocaleString(locale) });
}

/** Describes the block of an author, or that an app is disabled; null if neither is true. */
function describeState({ messages, locale }: ViewContext, { block, isDisabled }: ModeratedContributor): VNode | null {
  if (isDisabled) return <p>{messages.connectedApps.disabled}</p>;
  if (!block) return null;
  const { blockedReason, blockedUntil } = block;
  return (
    <>
      <p>
        {blockedUntil
          ? interpolateNodes(messages.blocked.until, { time: <FormattedDateTime at={blockedUntil} locale={locale} /> })
          : messages.blocked.noEnd}
      </p>
      <p>{interpolate(messages.blocked.reason, { reason: blockedReason ?? '' })}</p>
    </>
  );
}
