import type { VNode } from 'preact';
import { interpolate, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { FormattedDateTime } from '../../platform/views/date-time.js';
import { ContactLine } from '../../platform/views/footer.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { Account } from './account.entity.js';

/** The pages of the account that a blocked person needs to leave: `@AvailableWhenBlocked()`. */
const AVAILABLE_PAGES = ['export', 'apps', 'delete'] as const;

interface BlockProps {
  viewContext: ViewContext;
  account: Account;
}

/** Renders the page of a blocked account. It replaces each page that is not available. */
export function renderBlockedAccountPage(viewContext: ViewContext, account: Account, status = 403): View {
  return {
    title: viewContext.messages.blocked.title,
    status,
    body: (
      <section class="card">
        <BlockDescription viewContext={viewContext} account={account} />
      </section>
    ),
  };
}

/** The reason and the end of a block, the contact, and links to the pages that still work. */
export function BlockDescription({ viewContext, account: { blockedReason, blockedUntil } }: BlockProps): VNode {
  const { messages, basePath, locale } = viewContext;
  const { blocked } = messages;
  return (
    <>
      <p>{interpolate(blocked.reason, { reason: blockedReason ?? '' })}</p>
      <p>
        {blockedUntil
          ? interpolateNodes(blocked.until, { time: <FormattedDateTime at={blockedUntil} locale={locale} /> })
          : blocked.noEnd}
      </p>
      <p>{blocked.help}</p>
      <ContactLine viewContext={viewContext} />
      <p>{blocked.available}</p>
      <ul class="link-list">
        {AVAILABLE_PAGES.map((page) => (
          <li key={page}>
            <a href={`${basePath}/account/${page}`}>{messages.account.pages[page].title}</a>
            <p class="secondary">{messages.account.pages[page].text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
