import type { VNode } from 'preact';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { FormattedDate } from '../../../platform/views/date-time.js';
import type { ViewContext, Viewer } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Account } from '../../accounts/account.entity.js';
import { BlockDescription } from '../../accounts/blocked.page.js';
import { AppIcon } from '../../apps/app-icon.js';
import { type AppResponse, ContinueToApp } from '../../apps/app-response.js';
import type { App } from '../../apps/app.entity.js';
import { formatRedirectDestination } from '../../apps/redirect-uri.js';
import { summarizeScopes } from '../../scopes/scope-messages.js';
import type { Scope } from '../../scopes/scopes.js';
import { isRequiredScope } from './authorization-request.js';
import type { AppChanges, ConsentQuestion } from './authorize.service.js';
import type { ConsentDecision } from './consent-form.service.js';
import { ConsentScopes } from './consent-scopes.js';

/** Renders the consent page, on which the person allows or denies the requested scopes. */
export function renderConsentPage(viewContext: ViewContext, question: ConsentQuestion): View {
  const { request, query, allowedScopes, leftOutScopes, changes, owner, encryptedRequest } = question;
  const { messages, basePath, language } = viewContext;
  const { consent, connectedApps } = messages;
  const { app, redirectUri } = request;
  const knownScopes = [...allowedScopes, ...leftOutScopes];
  const newScopes = request.scopes.filter((scope) => !knownScopes.includes(scope));
  return {
    title: interpolate(consent.title, { app: app.name }),
    hideNavigation: true,
    formRedirectUri: redirectUri,
    body: (
      <>
        <form
          method="post"
          action={`${basePath}/consent?${new URLSearchParams({ ui_locales: language })}`}
          class="card consent"
        >
          <ConsentHeader viewContext={viewContext} app={app} redirectUri={redirectUri} authorizationQuery={query} />
          <ChangeNotices viewContext={viewContext} changes={changes} redirectUri={redirectUri} />
          <p>
            <strong>{formatSummary(viewContext, question, newScopes)}</strong>
          </p>
          <input type="hidden" name="request" value={encryptedRequest} />
          {/* Enter in a checkbox presses the first button. This one does nothing, so Enter never allows access. */}
          <button type="submit" formMethod="dialog" hidden />
          <ConsentScopes viewContext={viewContext} question={question} newScopes={newScopes} />
          {request.scopes.some((scope) => !isRequiredScope(request, scope)) && (
            <p class="secondary">{consent.optionalScopesHint}</p>
          )}
          <div class="actions">
            <button type="submit" name="decision" value="allow">
              {consent.allow}
            </button>
            {allowedScopes.length === 0 ? (
              <DecisionButton decision="deny" text={consent.deny} />
            ) : (
              <>
                <DecisionButton decision="keep" text={consent.keep} />
                <DecisionButton decision="remove" text={connectedApps.remove} isSmall />
              </>
            )}
          </div>
        </form>
        <AboutApp viewContext={viewContext} app={app} owner={owner} />
        <p class="secondary">{consent.revocationHint}</p>
      </>
    ),
  };
}

interface DecisionButtonProps {
  decision: ConsentDecision;
  text: string;
  isSmall?: boolean;
}

/** A button beside "Allow". */
function DecisionButton({ decision, text, isSmall }: DecisionButtonProps): VNode {
  return (
    <button type="submit" name="decision" value={decision} class={isSmall ? 'quiet small' : 'quiet'}>
      {text}
    </button>
  );
}

/** Returns one sentence about everything that the app could do, or could do more than before. */
function formatSummary(
  { messages: { consent }, language }: ViewContext,
  { request: { app, scopes }, allowedScopes }: ConsentQuestion,
  newScopes: Scope[],
): string {
  if (newScopes.length === 0) {
    const isAllowed = scopes.every((scope) => allowedScopes.includes(scope));
    return interpolate(isAllowed ? consent.allowedBefore : consent.asksAgain, { app: app.name });
  }
  const sentence = newScopes.length < scopes.length ? consent.summaryOfNew : consent.summary;
  return interpolate(sentence, { app: app.name, actions: summarizeScopes(newScopes, language) });
}

interface ConsentHeaderProps {
  viewContext: ViewContext;
  app: App;
  redirectUri: string;
  authorizationQuery: string;
}

/** The app, the person, and the destination after the decision. */
function ConsentHeader({ viewContext, app, redirectUri, authorizationQuery }: ConsentHeaderProps): VNode {
  const { messages, viewer } = viewContext;
  const { consent } = messages;
  return (
    <div class="consent-header">
      <div>
        <AppIcon viewContext={viewContext} app={app} />
        <p>
          <strong>{app.name}</strong>
          {app.homePage && <ExternalLink viewContext={viewContext} href={app.homePage} />}
        </p>
      </div>
      <p>
        <span>{interpolateNodes(consent.signedInAs, { name: <b>{formatFullName(viewer!)}</b> })}</span>
        <a href={buildSwitchAccountUrl(viewContext, authorizationQuery)}>{consent.switchAccount}</a>
      </p>
      <p>
        <span>
          {interpolateNodes(consent.redirectNotice, { place: <b>{formatRedirectDestination(redirectUri)}</b> })}
        </span>
      </p>
    </div>
  );
}

interface ChangeNoticesProps {
  viewContext: ViewContext;
  changes: AppChanges;
  redirectUri: string;
}

/** The name and the destination that the person knows, if the app has another one now. */
function ChangeNotices({
  viewContext: { messages, locale },
  changes: { formerName, formerHost },
  redirectUri,
}: ChangeNoticesProps): VNode {
  const { consent } = messages;
  return (
    <>
      {formerName && (
        <p class="alert">
          {interpolateNodes(consent.formerName, {
            name: <b>{formerName.name}</b>,
            date: <FormattedDate at={formerName.until} locale={locale} />,
          })}
        </p>
      )}
      {formerHost !== undefined && (
        <p class="alert">
          {interpolateNodes(consent.formerHost, {
            before: <b>{formerHost}</b>,
            now: <b>{formatRedirectDestination(redirectUri)}</b>,
          })}
        </p>
      )}
    </>
  );
}

interface AboutAppProps {
  viewContext: ViewContext;
  app: App;
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
}

/** The origin of the app: its developer's description and documents, and who registered it. */
function AboutApp({ viewContext, app, owner }: AboutAppProps): VNode {
  const { consent } = viewContext.messages;
  return (
    <p class="secondary facts">
      {app.description && <span>{interpolate(consent.appDescription, { description: app.description })}</span>}
      <span>
        <Registration viewContext={viewContext} app={app} owner={owner} />
      </span>
      {app.privacyPolicy && (
        <ExternalLink viewContext={viewContext} href={app.privacyPolicy} text={consent.privacyPolicy} />
      )}
      {app.termsOfService && (
        <ExternalLink viewContext={viewContext} href={app.termsOfService} text={consent.termsOfService} />
      )}
    </p>
  );
}

function Registration({ viewContext: { messages, locale }, app, owner }: AboutAppProps): VNode {
  const { consent } = messages;
  const date = <FormattedDate at={app.createdAt} locale={locale} />;
  if (app.metadataUrl !== null)
    return <>{interpolateNodes(consent.describedBy, { host: <b>{new URL(app.metadataUrl).host}</b> })}</>;
  if (app.isFirstParty) return <>{interpolateNodes(consent.registeredByOperator, { date })}</>;
  if (!owner) return <>{interpolateNodes(consent.registeredOn, { date })}</>;
  return <>{interpolateNodes(consent.registeredBy, { owner: formatFullName(owner), date })}</>;
}

/** Returns the name and the username, which is unique. */
function formatFullName({ name, username }: Pick<Viewer, 'name' | 'username'>): string {
  return `${name} (${username})`;
}

/**
 * Returns the URL of the sign-in page that resumes the authorization request with another account.
 */
function buildSwitchAccountUrl({ basePath }: ViewContext, authorizationQuery: string): string {
  return `${basePath}/sign-in?${authorizationQuery}`;
}

interface BlockedPageProps {
  account: Account;
  appName: string;
  /** The response that returns `access_denied` to the app. */
  errorResponse: AppResponse;
  /** Query of the authorization request. */
  authorizationQuery: string;
}

/** Renders the page for a person whose account is blocked, instead of the consent page. */
export function renderBlockedPage(
  viewContext: ViewContext,
  { account, appName, errorResponse, authorizationQuery }: BlockedPageProps,
): View {
  const { blocked, consent } = viewContext.messages;
  return {
    title: blocked.title,
    status: 403,
    formRedirectUri: errorResponse.fields && errorResponse.url,
    body: (
      <section class="card">
        <BlockDescription viewContext={viewContext} account={account} />
        <ContinueToApp response={errorResponse} text={interpolate(blocked.back, { app: appName })} />
        <p>
          <a href={buildSwitchAccountUrl(viewContext, authorizationQuery)}>{consent.switchAccount}</a>
        </p>
      </section>
    ),
  };
}

interface ExternalLinkProps {
  viewContext: ViewContext;
  /** https URL of another site. */
  href: string;
  /** Text of the link; the host if there is none. */
  text?: string;
}

/**
 * A link to another site, which the browser opens in a new tab. The page with its form stays. The
 * host of the site is always visible.
 */
function ExternalLink({ viewContext: { messages }, href, text }: ExternalLinkProps): VNode {
  const { host } = new URL(href);
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {text === undefined ? host : `${text} (${host})`}
      <span class="visually-hidden"> {messages.opensInNewTab}</span>
    </a>
  );
}
