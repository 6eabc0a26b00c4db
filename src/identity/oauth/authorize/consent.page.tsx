import type { VNode } from 'preact';
import type { Account } from '../../accounts/account.entity.js';
import { SCOPE_ACCESS, type ScopeAccess, type Scope } from '../../scopes/scopes.js';
import { FormattedDate } from '../../../platform/views/date-time.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext, Viewer } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { type AuthorizationRequest, isRequiredScope } from './authorization-request.js';
import { buildSwitchAccountUrl } from './switch-account-url.js';

interface ConsentPageProps {
  request: AuthorizationRequest;
  /** Who registered the app; null for the operator. */
  owner: Account | null;
  /** The app's request, as it came. */
  authorizationParams: URLSearchParams;
  /** The app's request, sealed. */
  encryptedRequest: string;
}

/** Asks a person, in plain words, whether an app may act for them. */
export function renderConsentPage(
  ui: ViewContext,
  { request, owner, authorizationParams, encryptedRequest }: ConsentPageProps,
): View {
  const { messages, basePath } = ui;
  const { consent } = messages;
  const { app, redirectUri } = request;
  return {
    title: interpolate(consent.title, { app: app.name }),
    hideNavigation: true,
    formRedirectUri: redirectUri,
    body: (
      <>
        <section class="card">
          {app.description && <p>{interpolate(consent.appDescription, { description: app.description })}</p>}
          <p class="soft">
            <RegistrationInfo ui={ui} request={request} owner={owner} />{' '}
            {app.homePage && (
              <a href={app.homePage} rel="noreferrer noopener" class="whole">
                {consent.homePage}
              </a>
            )}
          </p>
        </section>
        <form
          method="post"
          action={`${basePath}/consent?${new URLSearchParams({ ui_locales: ui.language })}`}
          class="card"
        >
          <div class="who">
            <span>{interpolateNodes(consent.signedInAs, { name: <strong>{formatFullName(ui.viewer!)}</strong> })}</span>
            <a href={buildSwitchAccountUrl(ui, authorizationParams)}>{consent.switchAccount}</a>
          </div>
          <input type="hidden" name="request" value={encryptedRequest} />
          {/* The button that Enter on a box presses, which does nothing: nobody allows anything by that. */}
          <button type="submit" formMethod="dialog" hidden />
          {(['identity', 'read', 'write'] as const).map((access) => (
            <ScopeGroup key={access} ui={ui} request={request} access={access} />
          ))}
          {request.scopes.some((scope) => !isRequiredScope(request, scope)) && (
            <p class="soft">{consent.optionalScopesHint}</p>
          )}
          <p>
            {interpolateNodes(consent.redirectNotice, {
              place: <strong>{formatRedirectDestination(redirectUri)}</strong>,
            })}
          </p>
          <div class="actions">
            <button type="submit" name="decision" value="allow">
              {consent.allow}
            </button>
            <button type="submit" name="decision" value="deny" class="quiet">
              {consent.deny}
            </button>
          </div>
        </form>
        <p class="soft">{consent.revocationHint}</p>
      </>
    ),
  };
}

type RequestProps = { ui: ViewContext; request: AuthorizationRequest };

function RegistrationInfo({
  ui: { messages, language },
  request: { app },
  owner,
}: RequestProps & { owner: Account | null }): VNode {
  const date = <FormattedDate at={app.createdAt} language={language} />;
  if (!owner) return <>{interpolateNodes(messages.consent.registeredByOperator, { date })}</>;
  return <>{interpolateNodes(messages.consent.registeredBy, { owner: formatFullName(owner), date })}</>;
}

/** The scopes of one kind, each with a box to leave it out. */
function ScopeGroup({ ui: { messages }, request, access }: RequestProps & { access: ScopeAccess }): VNode | null {
  const scopes = request.scopes.filter((scope) => SCOPE_ACCESS[scope] === access);
  if (scopes.length === 0) return null;
  return (
    <fieldset class={access === 'write' ? 'changes' : undefined}>
      <legend>{messages.consent[access]}</legend>
      {scopes.map((scope) => (
        <ScopeCheckbox
          key={scope}
          scope={scope}
          description={messages.scopes[scope]}
          requiredHint={isRequiredScope(request, scope) && messages.consent.required}
        />
      ))}
    </fieldset>
  );
}

function ScopeCheckbox({
  scope,
  description,
  requiredHint,
}: {
  scope: Scope;
  description: string;
  requiredHint: string | false;
}): VNode {
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="scope"
        id={scope}
        value={scope}
        checked
        disabled={requiredHint !== false}
        aria-describedby={requiredHint ? `${scope}-needed` : undefined}
      />
      <label for={scope} class="sentence">
        {description}
      </label>
      {requiredHint && (
        <p class="hint" id={`${scope}-needed`}>
          {requiredHint}
        </p>
      )}
    </div>
  );
}

/** The part of an address by which a person knows a place: the host, or for an app's own scheme all of it. */
function formatRedirectDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : redirectUri;
}

/** A person by both of their names: the one that they chose, and the one that is theirs alone. */
function formatFullName({ name, username }: Viewer): string {
  return `${name} (${username})`;
}
