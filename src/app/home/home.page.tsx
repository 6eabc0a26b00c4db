import type { VNode } from 'preact';
import { interpolate } from '../../platform/i18n/interpolate.js';
import type { ViewContext, Viewer } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';

/** Renders the home page: an invitation, or the pages of the account that is signed in. */
export function renderHomePage(viewContext: ViewContext): View {
  const { viewer } = viewContext;
  return viewer ? renderMemberHome(viewContext, viewer) : renderInvitation(viewContext);
}

function renderInvitation(viewContext: ViewContext): View {
  const { messages, basePath } = viewContext;
  const { home, nav, signUp } = messages;
  return {
    title: home.title,
    hasMural: true,
    body: (
      <>
        <p class="lead">{home.lead}</p>
        <p class="actions invitation">
          <a class="button" href={`${basePath}/sign-up`}>
            {signUp.title}
          </a>
          <a class="button quiet" href={`${basePath}/sign-in`}>
            {nav.signIn}
          </a>
        </p>
        <div class="columns">
          <section class="card">
            <h2>{home.join}</h2>
            <p>{home.joinText}</p>
          </section>
          <section class="card">
            <h2>{home.connect}</h2>
            <p>{home.connectText}</p>
          </section>
          <DeveloperCard viewContext={viewContext} />
        </div>
      </>
    ),
  };
}

function renderMemberHome(viewContext: ViewContext, { name }: Viewer): View {
  const { messages, basePath } = viewContext;
  const { home, nav } = messages;
  return {
    title: interpolate(home.welcome, { name }),
    hasMural: true,
    body: (
      <>
        <p class="lead">{home.memberLead}</p>
        <div class="columns">
          <section class="card">
            <h2>
              <a href={`${basePath}/account/apps`}>{nav.apps}</a>
            </h2>
            <p>{home.membersText}</p>
          </section>
          <section class="card">
            <h2>
              <a href={`${basePath}/account`}>{nav.account}</a>
            </h2>
            <p>{home.accountText}</p>
          </section>
          <DeveloperCard viewContext={viewContext} />
        </div>
      </>
    ),
  };
}

/** The links for developers of apps. */
function DeveloperCard({ viewContext: { messages, basePath } }: { viewContext: ViewContext }): VNode {
  const { home, developer, reference } = messages;
  return (
    <section class="card">
      <h2>{home.build}</h2>
      <p>{home.developersText}</p>
      <ul class="links">
        <li>
          <a href={`${basePath}/developer/apps`}>{developer.title}</a>
        </li>
        <li>
          <a href={`${basePath}/docs`}>{reference.title}</a>
        </li>
        <li>
          <a href={`${basePath}/.well-known/openid-configuration`}>{home.discovery}</a>
        </li>
      </ul>
    </section>
  );
}
