import type { VNode } from 'preact';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import { RelativeTime } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { formatBrowserName } from './browser-name.js';
import type { Session } from './session.entity.js';

/** Other sessions that the page shows at most. The button for all others ends the rest. */
const MAX_SHOWN_SESSIONS = 50;

const DONE_KEYS = ['ended', 'alreadyEnded', 'othersEnded'] as const;

/**
 * Renders the sessions of the person, each with a button that ends it.
 * @param current the session of this browser
 * @param sessions all sessions of the account, the last used first
 * @param done key of the message about the change that just happened
 */
export function renderSessionsPage(
  viewContext: ViewContext,
  current: Session,
  sessions: Session[],
  done: string | null,
): View {
  const { messages, basePath, language } = viewContext;
  const texts = messages.sessions;
  const others = sessions.filter(({ id }) => id !== current.id);
  const shown = others.slice(0, MAX_SHOWN_SESSIONS);
  const doneKey = DONE_KEYS.find((key) => key === done);
  return {
    title: texts.title,
    body: (
      <>
        {doneKey && (
          <p class="success" role="status">
            {texts[doneKey]}
          </p>
        )}
        <p class="lead">{texts.lead}</p>
        <ul class="card row-list">
          <SessionRow viewContext={viewContext} session={current} isCurrent />
          {shown.map((session) => (
            <SessionRow key={session.id} viewContext={viewContext} session={session} />
          ))}
        </ul>
        {others.length > shown.length && (
          <p class="secondary">
            {interpolate(texts.notShown, {
              count: new Intl.NumberFormat(language).format(others.length - shown.length),
            })}
          </p>
        )}
        {others.length > 0 && (
          <form method="post" action={`${basePath}/account/sessions/end-others`} class="actions">
            <button type="submit" class="danger">
              {texts.endOthers}
            </button>
          </form>
        )}
        <p class="secondary">{texts.help}</p>
      </>
    ),
  };
}

interface SessionRowProps {
  viewContext: ViewContext;
  session: Session;
  isCurrent?: boolean;
}

function SessionRow({ viewContext, session, isCurrent = false }: SessionRowProps): VNode {
  const { messages, basePath, locale } = viewContext;
  const { sessions } = messages;
  const { id, userAgent, ipAddress, createdAt, lastSeenAt } = session;
  return (
    <li>
      <div>
        <h2 id={id}>
          {formatBrowserName(userAgent) ?? sessions.unknownBrowser}{' '}
          {isCurrent && <span class="tag confirmed">{sessions.thisOne}</span>}
        </h2>
        <dl>
          <dt>{sessions.network}</dt>
          <dd>{ipAddress ?? sessions.unknownNetwork}</dd>
          <dt>{sessions.signedIn}</dt>
          <dd>
            <RelativeTime at={createdAt} locale={locale} />
          </dd>
          <dt>{sessions.lastSeen}</dt>
          <dd>
            <RelativeTime at={lastSeenAt} locale={locale} />
          </dd>
        </dl>
      </div>
      <form method="post" action={`${basePath}/account/sessions`}>
        <input type="hidden" name="session" value={id} />
        <button type="submit" class="quiet" aria-describedby={id}>
          {sessions.end}
        </button>
      </form>
    </li>
  );
}
