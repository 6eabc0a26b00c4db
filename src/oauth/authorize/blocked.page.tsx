import { fill } from '../../views/messages/fill.js';
import type { Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';

interface BlockedProps {
  reason: string;
  app: string;
  /** The address at which the app is told that nothing was allowed. */
  back: string;
}

/** Tells a blocked person why they cannot allow anything. */
export function blockedPage({ messages, base }: Ui, { reason, app, back }: BlockedProps): View {
  const { blocked, consent } = messages;
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
          <a href={`${base}/sign-in`}>{consent.switch}</a>
        </p>
      </section>
    ),
  };
}
