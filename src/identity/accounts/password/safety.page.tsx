import type { VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { formatBrowserName } from '../sessions/browser-name.js';
import type { Session } from '../sessions/session.entity.js';

interface SafetyPageProps {
  appNames: string[];
  passkeyNames: string[];
  sessions: Session[];
}

/** Renders the apps, passkeys and browsers of an account, each with the page that removes them. */
export function renderSafetyPage(
  viewContext: ViewContext,
  { appNames, passkeyNames, sessions }: SafetyPageProps,
): View {
  const { recovery, connectedApps, passkeys, sessions: texts } = viewContext.messages;
  const browsers = sessions.map(({ userAgent }) => formatBrowserName(userAgent) ?? texts.unknownBrowser);
  return {
    title: recovery.safetyTitle,
    body: (
      <>
        <p class="lead">{recovery.safetyLead}</p>
        <NameList viewContext={viewContext} path="/account/apps" title={connectedApps.title} names={appNames} />
        <NameList viewContext={viewContext} path="/account/passkeys" title={passkeys.title} names={passkeyNames} />
        <NameList viewContext={viewContext} path="/account/sessions" title={texts.title} names={browsers} />
      </>
    ),
  };
}

interface NameListProps {
  viewContext: ViewContext;
  /** Path of the page that removes the entries. */
  path: string;
  title: string;
  names: string[];
}

function NameList({ viewContext: { messages, basePath }, path, title, names }: NameListProps): VNode {
  return (
    <section class="card">
      <h2>
        <a href={basePath + path}>{title}</a>
      </h2>
      {names.length === 0 && <p class="secondary">{messages.recovery.safetyNone}</p>}
      <ul>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}
