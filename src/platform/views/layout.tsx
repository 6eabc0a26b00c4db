import type { VNode } from 'preact';
import { interpolate } from '../i18n/interpolate.js';
import { Footer } from './footer.js';
import { AccountNavigation, Navigation } from './navigation.js';
import type { ViewContext } from './view-context.js';
import type { View } from './view.js';

interface LayoutProps {
  viewContext: ViewContext;
  view: View;
}

/** The HTML document of a page: head, header with navigation, body and footer. */
export function Layout({ viewContext, view }: LayoutProps): VNode {
  const { messages, baseUrl, basePath, language } = viewContext;
  const title = `${formatDocumentTitle(viewContext, view)} · ${messages.site}`;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="description" content={messages.home.lead} />
        <meta name="theme-color" content="#0f6b66" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={messages.home.lead} />
        <meta property="og:image" content={`${baseUrl}/assets/preview.png`} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link
          rel="preload"
          href={`${basePath}/assets/display.woff2`}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={`${basePath}/assets/style.css`} />
        <link rel="icon" href={`${basePath}/assets/icon.svg`} type="image/svg+xml" />
        {view.isEnhanced && <EnhanceScript viewContext={viewContext} />}
        {view.script !== undefined && <script src={basePath + view.script} defer></script>}
      </head>
      <body>
        <a class="skip" href="#main">
          {messages.skipLink}
        </a>
        <header>
          <a class="site" href={`${basePath}/`}>
            <img src={`${basePath}/assets/icon.svg`} alt="" width="32" height="32" />
            {messages.site}
          </a>
          {!view.hideNavigation && <Navigation viewContext={viewContext} />}
        </header>
        {view.banner}
        <main id="main">
          {!view.hideNavigation && <AccountNavigation viewContext={viewContext} />}
          <h1 lang={view.titleLanguage}>{view.title}</h1>
          {view.body}
        </main>
        <Footer viewContext={viewContext} />
      </body>
    </html>
  );
}

/** The script that adds buttons, with their labels. */
function EnhanceScript({ viewContext: { basePath, messages } }: { viewContext: ViewContext }): VNode {
  const { showPassword, hidePassword, copy, copied } = messages.buttons;
  const labels = { 'data-show': showPassword, 'data-hide': hidePassword, 'data-copy': copy, 'data-copied': copied };
  return <script src={`${basePath}/assets/enhance.js`} defer {...labels}></script>;
}

/** Returns the title of the page. The title of an error page starts with "Error:". */
function formatDocumentTitle({ messages: { errors } }: ViewContext, { title, status = 200 }: View): string {
  return status < 400 ? title : interpolate(errors.documentTitle, { title });
}
