import type { VNode } from 'preact';
import type { Account } from '../../accounts/account.entity.js';
import { describeScope, getScopeHint } from '../../scopes/scope-messages.js';
import { type Scope, SCOPE_ACCESS, type ScopeAccess } from '../../scopes/scopes.js';
import type { App } from '../../clients/app.entity.js';
import { FormattedDate } from '../../../platform/views/date-time.js';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import type { ViewContext, Viewer } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { type AuthorizationRequest, isRequiredScope } from './authorization-request.js';
import { buildSwitchAccountUrl } from './switch-account-url.js';

interface ConsentPageProps {
  request: AuthorizationRequest;
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
  /** Parameters of the authorization request. */
  authorizationParams: URLSearchParams;
  /** Hidden form field. */
  encryptedRequest: string;
}

/** Renders the consent page, on which the person allows or denies the requested scopes. */
export function renderConsentPage(
  viewContext: ViewContext,
  { request, owner, authorizationParams, encryptedRequest }: ConsentPageProps,
): View {
  const { messages, basePath, language, viewer } = viewContext;
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
          <p class="secondary">
            <RegistrationInfo viewContext={viewContext} app={app} owner={owner} />{' '}
            {app.homePage && (
              <a href={app.homePage} rel="noreferrer noopener" class="nowrap">
                {consent.homePage}
              </a>
            )}
          </p>
        </section>
        <form
          method="post"
          action={`${basePath}/consent?${new URLSearchParams({ ui_locales: language })}`}
          class="card"
        >
          <div class="account-bar">
            <span>{interpolateNodes(consent.signedInAs, { name: <strong>{formatFullName(viewer!)}</strong> })}</span>
            <a href={buildSwitchAccountUrl(viewContext, authorizationParams)}>{consent.switchAccount}</a>
          </div>
          <input type="hidden" name="request" value={encryptedRequest} />
          {/* Enter in a checkbox presses the first button. This one does nothing, so Enter never allows access. */}
          <button type="submit" formMethod="dialog" hidden />
          {(['identity', 'read', 'write'] as const).map((access) => (
            <ScopeGroup key={access} viewContext={viewContext} request={request} access={access} />
          ))}
          {request.scopes.some((scope) => !isRequiredScope(request, scope)) && (
            <p class="secondary">{consent.optionalScopesHint}</p>
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
        <p class="secondary">{consent.revocationHint}</p>
      </>
    ),
  };
}

interface RegistrationInfoProps {
  viewContext: ViewContext;
  app: App;
  owner: Account | null;
}

/** The owner and the date of the app's registration. */
function RegistrationInfo({ viewContext: { messages, locale }, app, owner }: RegistrationInfoProps): VNode {
  const date = <FormattedDate at={app.createdAt} locale={locale} />;
  if (!owner) return <>{interpolateNodes(messages.consent.registeredByOperator, { date })}</>;
  return <>{interpolateNodes(messages.consent.registeredBy, { owner: formatFullName(owner), date })}</>;
}

interface ScopeGroupProps {
  viewContext: ViewContext;
  request: AuthorizationRequest;
  access: ScopeAccess;
}

/** The requested scopes of one kind of access, each with a checkbox. */
function ScopeGroup({ viewContext: { messages, language }, request, access }: ScopeGroupProps): VNode | null {
  const scopes = request.scopes.filter((scope) => SCOPE_ACCESS[scope] === access);
  if (scopes.length === 0) return null;
  return (
    <fieldset class={access === 'write' ? 'write-scopes' : undefined}>
      <legend>{messages.consent[access]}</legend>
      {scopes.map((scope) => (
        <ScopeCheckbox
          key={scope}
          scope={scope}
          meaning={describeScope(scope, language)}
          hint={getScopeHint(scope, language)}
          requiredHint={isRequiredScope(request, scope) && messages.consent.required}
        />
      ))}
    </fieldset>
  );
}

interface ScopeCheckboxProps {
  scope: Scope;
  meaning: string;
  hint: string;
  /** Hint of a required scope, which the person cannot leave out. */
  requiredHint: string | false;
}

function ScopeCheckbox({ scope, meaning, hint, requiredHint }: ScopeCheckboxProps): VNode {
  return (
    <div class="choice">
      <input
        type="checkbox"
        name="scope"
        id={scope}
        value={scope}
        checked
        disabled={requiredHint !== false}
        aria-describedby={`${scope}-hint`}
      />
      <label for={scope} class="sentence">
        {meaning}
      </label>
      <p class="hint" id={`${scope}-hint`}>
        {hint}
        {requiredHint && ` ${requiredHint}`}
      </p>
    </div>
  );
}

/** Returns the host of a web address, or the whole address if it has a private-use scheme. */
function formatRedirectDestination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : redirectUri;
}

/** Returns the name and the username, which is unique. */
function formatFullName({ name, username }: Viewer): string {
  return `${name} (${username})`;
}
