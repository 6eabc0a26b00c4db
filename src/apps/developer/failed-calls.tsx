import type { VNode } from 'preact';
import type { FailedCall } from '../../failed-calls/failed-call.entity.js';
import { Moment } from '../../views/day.js';
import type { Ui } from '../../views/ui.js';
import { fill } from '../../words/fill.js';

/** The last calls of an app that failed, and why: in English, as the app was told. */
export function FailedCallsList({ ui, calls }: { ui: Ui; calls: FailedCall[] }): VNode {
  const { failed } = ui.messages.developer;
  return (
    <section class="card">
      <h2>{failed.title}</h2>
      <p class="soft">{calls.length > 0 ? failed.lead : failed.none}</p>
      {calls.length > 0 && (
        <ol class="happenings">
          {calls.map((call) => (
            <Call key={call.digest} ui={ui} call={call} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Call({ ui: { messages, language }, call }: { ui: Ui; call: FailedCall }): VNode {
  const times = new Intl.NumberFormat(language).format(call.count);
  return (
    <li>
      <p lang="en">
        <code>{call.call}</code> <strong>{call.error}</strong>
      </p>
      <p lang="en">{call.reason}</p>
      <p class="soft">
        <Moment at={call.at} language={language} />
        {call.count > 1 && ` · ${fill(messages.developer.failed.times, { count: times })}`}
      </p>
    </li>
  );
}
