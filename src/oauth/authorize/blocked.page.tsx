import { fill } from '../../words/fill.js';
import type { Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { switchAccount } from './switch-account.js';

interface BlockedProps {
  reason: string;
  app: string;
  /** The address at which the app is told that nothing was allowed. */
  back: string;
  /** What the app asked for, as it came. */
  query: URLSearchParams;
}

/** Tells a blocked person why they cannot allow anything. */
export function blockedPage(ui: Ui, { reason, app, back, query }: BlockedProps): View {
  const { blocked, consent } = ui.messages;
  return {
    title: blocked.title,
    status: 403,
    body: (
      <section class="card">
        <p>{fill(blocked.reason, { reason })}</p>
        <p>{blocked.help}</p>
        <p>
          <a href={back}>{fill(blocked.back, { app })}</a>
        </p>
        <p>
          <a href={switchAccount(ui, query)}>{consent.switch}</a>
        </p>
      </section>
    ),
  };
}
