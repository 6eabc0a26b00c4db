import type { VNode } from 'preact';
import { CONTRIBUTOR_KINDS, type ContributorKind } from '../../map/edits/edits.store.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LockForm } from './lock.page.js';
import { LISTED_STATUSES, type ModeratedContributor, CONTRIBUTORS_PER_PAGE } from './moderation.service.js';
import { formatCount } from './contributor.page.js';

type ModerationPageProps = Record<ContributorKind, ModeratedContributor[]> & {
  /** The number of open suggestions, without those of blocked authors, and of those. */
  open: { others: number; blocked: number };
  /** Where each list begins. */
  offsets: Record<ContributorKind, number>;
};

/** Renders the authors and the apps with the latest suggestions, and the form of locks. */
export function renderModerationPage(viewContext: ViewContext, props: ModerationPageProps): View {
  const { messages, locale } = viewContext;
  const texts = messages.moderation;
  const { others, blocked } = props.open;
  return {
    title: texts.title,
    body: (
      <>
        <p class="lead">{texts.lead}</p>
        <p>
          {interpolate(texts.open, { count: others.toLocaleString(locale) })}
          {blocked > 0 && ` ${interpolate(texts.openOfBlocked, { count: blocked.toLocaleString(locale) })}`}
        </p>
        {CONTRIBUTOR_KINDS.map((kind) => (
          <ContributorList key={kind} viewContext={viewContext} kind={kind} {...props} />
        ))}
        <LockForm viewContext={viewContext} />
      </>
    ),
  };
}

function ContributorList({
  viewContext,
  kind,
  offsets,
  ...lists
}: ModerationPageProps & { viewContext: ViewContext; kind: ContributorKind }): VNode {
  const { messages, basePath } = viewContext;
  const texts = messages.moderation;
  const contributors = lists[kind].slice(0, CONTRIBUTORS_PER_PAGE);
  const next = { ...offsets, [kind]: offsets[kind] + CONTRIBUTORS_PER_PAGE };
  const nextQuery = `authors=${next.authors}&apps=${next.apps}`;
  return (
    <section class="card" aria-labelledby={kind}>
      <h2 id={kind}>{texts[kind]}</h2>
      {contributors.length === 0 && <p>{texts.none}</p>}
      {contributors.length > 0 && (
        <ul class="link-list">
          {contributors.map((contributor) => (
            <li key={contributor.id}>
              <a href={`${basePath}/moderation/${kind}/${contributor.id}`}>{contributor.name}</a>
              <p class="secondary">
                {LISTED_STATUSES.map((status) => formatCount(viewContext, contributor, status)).join(' · ')}
                {contributor.block && ` · ${texts.blocked}`}
              </p>
            </li>
          ))}
        </ul>
      )}
      {lists[kind].length > CONTRIBUTORS_PER_PAGE && (
        <p>
          <a rel="next" href={`${basePath}/moderation?${nextQuery}`} aria-describedby={kind}>
            {messages.appRecord.more}
          </a>
        </p>
      )}
    </section>
  );
}
