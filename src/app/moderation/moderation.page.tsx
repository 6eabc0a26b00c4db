import type { VNode } from 'preact';
import { PROPOSER_KINDS, type ProposerKind } from '../../map/edits/edits.store.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LockForm } from './lock.page.js';
import { LISTED_STATUSES, type ModeratedProposer, PROPOSERS_PER_PAGE } from './moderation.service.js';
import { formatCount } from './proposer.page.js';

type ModerationPageProps = Record<ProposerKind, ModeratedProposer[]> & {
  /** Where each list begins. */
  offsets: Record<ProposerKind, number>;
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
        {PROPOSER_KINDS.map((kind) => (
          <ProposerList key={kind} viewContext={viewContext} kind={kind} {...props} />
        ))}
        <LockForm viewContext={viewContext} />
      </>
    ),
  };
}

function ProposerList({
  viewContext,
  kind,
  offsets,
  ...lists
}: ModerationPageProps & { viewContext: ViewContext; kind: ProposerKind }): VNode {
  const { messages, basePath } = viewContext;
  const texts = messages.moderation;
  const proposers = lists[kind].slice(0, PROPOSERS_PER_PAGE);
  const next = { ...offsets, [kind]: offsets[kind] + PROPOSERS_PER_PAGE };
  const nextQuery = `authors=${next.authors}&apps=${next.apps}`;
  return (
    <section class="card" aria-labelledby={kind}>
      <h2 id={kind}>{texts[kind]}</h2>
      {proposers.length === 0 && <p>{texts.none}</p>}
      {proposers.length > 0 && (
        <ul class="link-list">
          {proposers.map((proposer) => (
            <li key={proposer.id}>
              <a href={`${basePath}/moderation/${kind}/${proposer.id}`}>{proposer.name}</a>
              <p class="secondary">
                {LISTED_STATUSES.map((status) => formatCount(viewContext, proposer, status)).join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
      {lists[kind].length > PROPOSERS_PER_PAGE && (
        <p>
          <a rel="next" href={`${basePath}/moderation?${nextQuery}`} aria-describedby={kind}>
            {messages.appRecord.more}
          </a>
        </p>
      )}
    </section>
  );
}
