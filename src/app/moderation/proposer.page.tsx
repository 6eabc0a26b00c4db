import type { VNode } from 'preact';
import { type Account, isBlocked } from '../../identity/accounts/account.entity.js';
import type { EditViewPage } from '../../map/edits/view/edit-views.dto.js';
import { interpolate, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { FormattedDate, FormattedDateTime } from '../../platform/views/date-time.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { LISTED_STATUSES, type ListedStatus, type ModeratedProposer } from './moderation.service.js';

/** Renders what one author or app suggested, and the buttons about it. */
export function renderProposerPage(
  viewContext: ViewContext,
  proposer: ModeratedProposer,
  { status, edits }: { status: ListedStatus; edits: EditViewPage },
): View {
  const { messages, basePath, locale } = viewContext;
  const texts = messages.moderation;
  const path = `${basePath}/moderation/${proposer.kind}/${proposer.id}`;
  const { account, app } = proposer;
  const isStopped = app?.disabledAt != null || (account !== null && isBlocked(account));
  const buttons = [
    { action: 'reject', text: texts.rejectAll, isShown: proposer.open > 0 },
    { action: 'block', text: texts.block, isShown: proposer.canBlock },
    { action: 'disable', text: texts.disable, isShown: proposer.canDisable },
  ].filter(({ isShown }) => isShown);
  return {
    title: proposer.name,
    body: (
      <>
        <p>
          <a href={`${basePath}/moderation`}>{texts.title}</a>
        </p>
        {(isStopped || buttons.length > 0) && (
          <div class="card">
            {account && isBlocked(account) && <Block viewContext={viewContext} account={account} />}
            {app?.disabledAt && <p>{messages.connectedApps.disabled}</p>}
            <div class="actions">
              {buttons.map(({ action, text }) => (
                <form key={action} action={`${path}/${action}`}>
                  <button type="submit" class="danger">
                    {text}
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
                  <strong>{interpolate(texts[listed], { count: proposer[listed] })}</strong>
                ) : (
                  <a href={`${path}?status=${listed}`}>{interpolate(texts[listed], { count: proposer[listed] })}</a>
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
                  {[target?.title, proposer.kind === 'apps' ? edit.author.username : edit.client?.name]
                    .filter(Boolean)
                    .map((text) => ` · ${text}`)}
                </p>
              </li>
            ))}
          </ul>
          {edits.page.nextCursor && (
            <p>
              <a rel="next" href={`${path}?${new URLSearchParams({ status, cursor: edits.page.nextCursor })}`}>
                {messages.appRecord.more}
              </a>
            </p>
          )}
        </section>
      </>
    ),
  };
}

/** When the block of an author ends, and its reason. */
function Block({ viewContext, account }: { viewContext: ViewContext; account: Account }): VNode {
  const { messages, locale } = viewContext;
  const { blockedReason, blockedUntil } = account;
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
