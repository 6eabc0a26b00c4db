import type { VNode } from 'preact';
import { interpolateCount, interpolateNodes } from '../../platform/i18n/interpolate.js';
import { RelativeDay } from '../../platform/views/date-time.js';
import { Monogram } from '../../platform/views/monogram.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { Account } from './account.entity.js';
import { SendConfirmationForm } from './email-link.page.js';
import { isUploadedPicture } from './profile/profile-picture.entity.js';

/** The pages of the account, in groups. Each name is the last segment of the path. */
const PAGE_GROUPS = [
  { group: 'you', pages: ['profile', 'email', 'role'] },
  { group: 'signingIn', pages: ['password', 'passkeys', 'sessions'] },
  { group: 'access', pages: ['apps', 'activity'] },
  { group: 'data', pages: ['export', 'delete'] },
] as const;

interface AccountPageProps {
  account: Account;
  passkeyCount: number;
  sessionCount: number;
  connectedAppCount: number;
  /** Whether this service can send a link to confirm the e-mail address. */
  canSendLink: boolean;
}

/** Renders the account of a person: what it has, with links to the pages that change it. */
export function renderAccountPage(viewContext: ViewContext, props: AccountPageProps): View {
  const { account, canSendLink } = props;
  const { messages, basePath } = viewContext;
  const values = describeValues(viewContext, props);
  return {
    title: messages.account.title,
    body: (
      <>
        <AccountSummary viewContext={viewContext} account={account} />
        {canSendLink && account.email !== null && !account.emailVerifiedAt && (
          <section class="card">
            <p>{messages.credentials.emailUnverified}</p>
            <SendConfirmationForm viewContext={viewContext} />
          </section>
        )}
        {account.email === null && <p class="card">{messages.credentials.noEmail}</p>}
        {account.role === 'moderator' && (
          <p class="card">
            <a href={`${basePath}/moderation`}>{messages.moderation.title}</a>
          </p>
        )}
        {PAGE_GROUPS.map(({ group, pages }) => (
          <section key={group} class="card" aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{messages.account.groups[group]}</h2>
            <ul class="link-list">
              {pages.map((page) => (
                <li key={page}>
                  <a href={`${basePath}/account/${page}`}>{messages.account.pages[page].title}</a>
                  <p class="secondary">{values[page] ?? messages.account.pages[page].text}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    ),
  };
}

type PageName = (typeof PAGE_GROUPS)[number]['pages'][number];

/** Returns the present state of the pages that have one, such as `2 passkeys`. */
function describeValues(
  { messages, language, locale }: ViewContext,
  { account, passkeyCount, sessionCount, connectedAppCount }: AccountPageProps,
): Partial<Record<PageName, VNode | string>> {
  const { values } = messages.account;
  const day = <RelativeDay at={account.passwordChangedAt} locale={locale} />;
  return {
    role: messages.role.names[account.role],
    password: <>{interpolateNodes<VNode | string>(values.passwordChanged, { date: day })}</>,
    ...(passkeyCount > 0 && {
      passkeys: interpolateCount(passkeyCount, values.passkeysOne, values.passkeysOther, language),
    }),
    sessions: interpolateCount(sessionCount, values.sessionsOne, values.sessionsOther, language),
    ...(connectedAppCount > 0 && {
      apps: interpolateCount(connectedAppCount, values.appsOne, values.appsOther, language),
    }),
  };
}

function AccountSummary({ viewContext, account }: { viewContext: ViewContext; account: Account }): VNode {
  const { messages, basePath } = viewContext;
  const { name, username, email, emailVerifiedAt, picture } = account;
  return (
    <section class="card picture-row">
      {picture && isUploadedPicture(picture) ? (
        <img src={basePath + picture} alt="" width="96" height="96" />
      ) : (
        <Monogram id={account.id} name={name} />
      )}
      <dl>
        <dt>{messages.account.name}</dt>
        <dd>{name}</dd>
        <dt>{messages.account.username}</dt>
        <dd>{username}</dd>
        <dt>{messages.account.email}</dt>
        <dd>
          {email ?? messages.account.noEmail}{' '}
          {email !== null && (
            <span class={emailVerifiedAt ? 'tag confirmed' : 'tag'}>
              {emailVerifiedAt ? messages.account.emailConfirmed : messages.account.emailNotConfirmed}
            </span>
          )}
        </dd>
      </dl>
    </section>
  );
}
