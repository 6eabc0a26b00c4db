import type { VNode } from 'preact';
import type { Account } from '../../accounts/account.entity.js';
import { ACCESS, type Access, type Scope } from '../../scopes/catalogue.js';
import { Day } from '../../views/day.js';
import { fill, parts } from '../../words/fill.js';
import type { Ui, Viewer } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { type AuthorizationRequest, isNeeded } from './authorization-request.js';
import { switchAccount } from './switch-account.js';

interface ConsentProps {
  request: AuthorizationRequest;
  /** Who registered the app; null for the operator. */
  owner: Account | null;
  /** The app's request, as it came. */
  query: URLSearchParams;
  /** The app's request, sealed. */
  sealed: string;
}

/** Asks a person, in plain words, whether an app may act for them. */
export function consentPage(ui: Ui, { request, owner, query, sealed }: ConsentProps): View {
  const { messages, base } = ui;
  const { consent } = messages;
  const { app, redirectUri } = request;
  return {
    title: fill(consent.title, { app: app.name }),
    isQuestion: true,
    leadsTo: redirectUri,
    body: (
      <>
        <section class="card">
          {app.description && <p>{fill(consent.inTheirWords, { description: app.description })}</p>}
          <p class="soft">
            <Registration ui={ui} request={request} owner={owner} />{' '}
            {app.homePage && (
              <a href={app.homePage} rel="noreferrer noopener" class="whole">
                {consent.homePage}
              </a>
            )}
          </p>
        </section>
        <form method="post" action={`${base}/consent?${new URLSearchParams({ ui_locales: ui.language })}`} class="card">
          <div class="who">
            <span>{parts(consent.signedInAs, { name: <strong>{whole(ui.viewer!)}</strong> })}</span>
            <a href={switchAccount(ui, query)}>{consent.switch}</a>
          </div>
          <input type="hidden" name="request" value={sealed} />
          {/* The button that Enter on a box presses, which does nothing: nobody allows anything by that. */}
          <button type="submit" formMethod="dialog" hidden />
          {(['identity', 'read', 'write'] as const).map((access) => (
            <Choices key={access} ui={ui} request={request} access={access} />
          ))}
          {request.scopes.some((scope) => !isNeeded(request, scope)) && <p class="soft">{consent.leaveOut}</p>}
          <p>{parts(consent.sentTo, { place: <strong>{placeOf(redirectUri)}</strong> })}</p>
          <div class="actions">
            <button type="submit" name="decision" value="allow">
              {consent.allow}
            </button>
            <button type="submit" name="decision" value="deny" class="quiet">
              {consent.deny}
            </button>
          </div>
        </form>
        <p class="soft">{consent.takeBack}</p>
      </>
    ),
  };
}

type RequestProps = { ui: Ui; request: AuthorizationRequest };

function Registration({
  ui: { messages, language },
  request: { app },
  owner,
}: RequestProps & { owner: Account | null }): VNode {
  const date = <Day at={app.createdAt} language={language} />;
  if (!owner) return <>{parts(messages.consent.registeredByOperator, { date })}</>;
  return <>{parts(messages.consent.registeredBy, { owner: whole(owner), date })}</>;
}

/** The scopes of one kind, each with a box to leave it out. */
function Choices({ ui: { messages }, request, access }: RequestProps & { access: Access }): VNode | null {
  const scopes = request.scopes.filter((scope) => ACCESS[scope] === access);
  if (scopes.length === 0) return null;
  return (
    <fieldset class={access === 'write' ? 'changes' : undefined}>
      <legend>{messages.consent[access]}</legend>
      {scopes.map((scope) => (
        <Choice
          key={scope}
          scope={scope}
          meaning={messages.scopes[scope]}
          needed={isNeeded(request, scope) && messages.consent.required}
        />
      ))}
    </fieldset>
  );
}

function Choice({ scope, meaning, needed }: { scope: Scope; meaning: string; needed: string | false }): VNode {
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="scope"
        id={scope}
        value={scope}
        checked
        disabled={needed !== false}
        aria-describedby={needed ? `${scope}-needed` : undefined}
      />
      <label for={scope} class="sentence">
        {meaning}
      </label>
      {needed && (
        <p class="hint" id={`${scope}-needed`}>
          {needed}
        </p>
      )}
    </div>
  );
}

/** The part of an address by which a person knows a place: the host, or for an app's own scheme all of it. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : redirectUri;
}

/** A person by both of their names: the one that they chose, and the one that is theirs alone. */
function whole({ name, username }: Viewer): string {
  return `${name} (${username})`;
}
