import type { VNode } from 'preact';
import { interpolate } from '../i18n/interpolate.js';
import type { ViewContext, Viewer } from './view-context.js';

interface NavigationProps {
  viewContext: ViewContext;
}

/** The links of the header: the pages of the account that is signed in, or sign-in and sign-up. */
export function Navigation({ viewContext }: NavigationProps): VNode {
  const { messages, viewer } = viewContext;
  const { nav } = messages;
  if (viewer) return <MemberNavigation viewContext={viewContext} viewer={viewer} />;
  return (
    <nav aria-label={nav.label}>
      <NavigationLink viewContext={viewContext} path="/sign-in" text={nav.signIn} />
      <NavigationLink viewContext={viewContext} path="/sign-up" text={nav.signUp} />
    </nav>
  );
}

/** A popover behind the menu button on narrow screens; the stylesheet shows it on wide ones. */
function MemberNavigation({ viewContext, viewer: { name } }: NavigationProps & { viewer: Viewer }): VNode {
  const { nav } = viewContext.messages;
  return (
    <>
      <button
        type="button"
        class="menu-button quiet"
        {...{ popovertarget: 'menu' }}
        aria-label={`${nav.menu}: ${name}`}
      >
        <span class="viewer">{name}</span>
      </button>
      <nav id="menu" popover="auto" aria-label={nav.label}>
        <span class="viewer" title={interpolate(nav.signedInAs, { name })}>
          {name}
        </span>
        <NavigationLink viewContext={viewContext} path="/account" text={nav.account} />
        <NavigationLink viewContext={viewContext} path="/account/apps" text={nav.apps} />
        <NavigationLink viewContext={viewContext} path="/account/activity" text={nav.activity} />
        <NavigationLink viewContext={viewContext} path="/developer/apps" text={nav.developer} />
        <NavigationLink viewContext={viewContext} path="/sign-out" text={nav.signOut} />
      </nav>
    </>
  );
}

interface NavigationLinkProps extends NavigationProps {
  /** Path below `BASE_URL`. */
  path: string;
  text: string;
}

function NavigationLink({ viewContext: { basePath, path: shown }, path, text }: NavigationLinkProps): VNode {
  return (
    <a href={basePath + path} aria-current={shown === path ? 'page' : undefined}>
      {text}
    </a>
  );
}

/** The pages of the account that have no link in the header. */
const ACCOUNT_PAGES = ['profile', 'email', 'role', 'password', 'passkeys', 'sessions', 'export', 'delete'] as const;

/** The way back to the account, and the pages beside this one; nothing outside the account. */
export function AccountNavigation({ viewContext }: NavigationProps): VNode | null {
  const { account } = viewContext.messages;
  if (!viewContext.viewer || !/^\/account\/[\w-]/.test(viewContext.path)) return null;
  return (
    <nav class="account-nav" aria-label={account.title}>
      <NavigationLink viewContext={viewContext} path="/account" text={account.title} />
      {ACCOUNT_PAGES.map((page) => (
        <NavigationLink
          key={page}
          viewContext={viewContext}
          path={`/account/${page}`}
          text={account.pages[page].title}
        />
      ))}
    </nav>
  );
}

/** The link to the list of apps, for a page that has nothing to show. */
export function PublicAppsLink({ viewContext: { basePath, messages } }: { viewContext: ViewContext }): VNode {
  return (
    <p>
      <a class="button" href={`${basePath}/apps`}>
        {messages.publicApps.see}
      </a>
    </p>
  );
}
