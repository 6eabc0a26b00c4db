import type { VNode } from 'preact';
import { CONTRIBUTOR_KINDS, type ContributorKind } from '../../map/edits/edits.store.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LockForm } from './lock.page.js';
import { LISTED_STATUSES, type ModeratedContributor, CONTRIBUTORS_PER_PAGE } from './moderation.service.js';
import { formatCount } from './contributor.page.js';

type ModerationPageProps = Record<ContributorKind, ModeratedContributor[]> & {
  /** Where each list begins. */
  offsets: Record<ContributorKind, number>;
};

/** Renders the authors and the apps with the latest suggestions, and the form of locks. */
export function renderModerationPage(viewContext: ViewContext, props: ModerationPageProps): View {
  const { messages } = viewContext;
  const texts = messages.moderation;
  return {
    title: texts.title,
    body: (
      <>
        <p class="lead">{texts.lead}</p>
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
