import type { VNode } from 'preact';
import { fill } from '../words/fill.js';
import type { Ui } from './ui.js';
import type { View } from './view.js';

/** What every page has around its body. */
export function Layout({ ui, view }: { ui: Ui; view: View }): VNode {
  const { messages, base, language } = ui;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <title>{`${view.title} · ${messages.site}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href={`${base}/assets/style.css`} />
        <link rel="icon" href={`${base}/assets/icon.svg`} type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#main">
          {messages.skip}
        </a>
        <header>
          <a class="site" href={`${base}/`}>
            <img src={`${base}/assets/icon.svg`} alt="" width="28" height="28" />
            {messages.site}
          </a>
          {!view.isQuestion && <Navigation {...ui} />}
        </header>
        <main id="main">
          <h1>{view.title}</h1>
          {view.body}
        </main>
      </body>
    </html>
  );
}

function Navigation({ base, messages: { nav }, viewer }: Ui): VNode {
  if (!viewer) {
    return (
      <nav aria-label={nav.label}>
        <a href={`${base}/sign-in`}>{nav.signIn}</a>
        <a href={`${base}/sign-up`}>{nav.signUp}</a>
      </nav>
    );
  }
  return (
    <nav aria-label={nav.label}>
      <a href={`${base}/account/apps`}>{nav.apps}</a>
      <a href={`${base}/account/activity`}>{nav.activity}</a>
      <a href={`${base}/developer/apps`}>{nav.developer}</a>
      <a href={`${base}/sign-out`} title={fill(nav.signedInAs, { name: viewer.name })}>
        {nav.signOut}
      </a>
    </nav>
  );
}
