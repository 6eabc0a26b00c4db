import type { VNode } from 'preact';
import { type Proposer, PROPOSER_KINDS, type ProposerKind } from '../../map/edits/edits.store.js';
import { interpolate } from '../../platform/i18n/interpolate.js';
import { RelativeTime } from '../../platform/views/date-time.js';
import { FormField } from '../../platform/views/form-field.js';
import { EMPTY_FORM_STATE } from '../../platform/views/form-state.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LISTED_STATUSES, PROPOSERS_PER_PAGE } from './moderation.service.js';

type ModerationPageProps = Record<ProposerKind, Proposer[]> & {
  /** Where each list begins. */
  offsets: Record<ProposerKind, number>;
};

/** Renders the authors and the apps with the latest suggestions, and the form of locks. */
export function renderModerationPage(viewContext: ViewContext, props: ModerationPageProps): View {
  const { messages, basePath } = viewContext;
  const texts = messages.moderation;
  return {
    title: texts.title,
    body: (
      <>
        <p class="lead">{texts.lead}</p>
        {PROPOSER_KINDS.map((kind) => (
          <ProposerList key={kind} viewContext={viewContext} kind={kind} {...props} />
        ))}
        <section class="card" aria-labelledby="locks">
          <h2 id="locks">{texts.locks}</h2>
          <p>{texts.locksHelp}</p>
          <form action={`${basePath}/moderation/locks`}>
            <FormField name="target" label={texts.target} form={EMPTY_FORM_STATE} input={TARGET_INPUT} />
            <div class="actions">
              <button type="submit" name="what" value="lock">
                {texts.lock}
              </button>
              <button type="submit" name="what" value="unlock" class="quiet">
                {texts.unlock}
              </button>
            </div>
          </form>
        </section>
      </>
    ),
  };
}

const TARGET_INPUT = { required: true, autocomplete: 'off' } as const;

function ProposerList({
  viewContext,
  kind,
  offsets,
  ...lists
}: ModerationPageProps & { viewContext: ViewContext; kind: ProposerKind }): VNode {
  const { messages, basePath, locale } = viewContext;
  const texts = messages.moderation;
  const proposers = lists[kind].slice(0, PROPOSERS_PER_PAGE);
  const next = { ...offsets, [kind]: offsets[kind] + PROPOSERS_PER_PAGE };
  const nextQuery = `authors=${next.authors}&apps=${next.apps}`;
  return (
    <section class="card" aria-labelledby={kind}>
      <h2 id={kind}>{texts[kind]}</h2>
      {proposers.length === 0 && <p>{texts.none}</p>}
      <ul class="link-list">
        {proposers.map((proposer) => (
          <li key={proposer.id}>
            <a href={`${basePath}/moderation/${kind}/${proposer.id}`}>{proposer.name}</a>
            <p class="secondary">
              {LISTED_STATUSES.map((status) => interpolate(texts[status], { count: proposer[status] })).join(', ')}
              {' · '}
              <RelativeTime at={proposer.latestAt} locale={locale} />
            </p>
          </li>
        ))}
      </ul>
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
