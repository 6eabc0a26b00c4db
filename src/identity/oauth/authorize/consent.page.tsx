import type { VNode } from 'preact';
import { interpolate, interpolateNodes } from '../../../platform/i18n/interpolate.js';
import { FormattedDate } from '../../../platform/views/date-time.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Account } from '../../accounts/account.entity.js';
import { BlockDescription } from '../../accounts/blocked.page.js';
import { AppRegistration, formatFullName } from '../../apps/app-facts.js';
import { AppIcon } from '../../apps/app-icon.js';
import { type AppResponse, ContinueToApp } from '../../apps/app-response.js';
import type { App } from '../../apps/app.entity.js';
import { formatRedirectDestination } from '../../apps/redirect-uri.js';
import { isRequiredScope } from './authorization-request.js';
import type { AppChanges, ConsentQuestion } from './authorize.service.js';
import type { ConsentDecision } from './consent-form.service.js';
import { ConsentScopes } from './consent-scopes.js';

/** The smallest number of people that the page shows. */
const MIN_SHOWN_PEOPLE = 10;

/** Renders the consent page, on which the person allows or denies the requested scopes. */
export function renderConsentPage(viewContext: ViewContext, question: ConsentQuestion): View {
  const { request, query, allowedScopes, leftOutScopes, changes, encryptedRequest } = question;
  const { messages, basePath, language } = viewContext;
  const { consent, connectedApps } = messages;
  const { app, redirectUri } = request;
  const knownScopes = [...allowedScopes, ...leftOutScopes];
  const newScopes = request.scopes.filter((scope) => !knownScopes.includes(scope));
  const isAllowed = request.scopes.every((scope) => allowedScopes.includes(scope));
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
          <ConsentHeader viewContext={viewContext} app={app} authorizationQuery={query} />
          <ChangeNotices viewContext={viewContext} changes={changes} redirectUri={redirectUri} />
          {newScopes.length === 0 && (
            <p>
              <strong>{interpolate(isAllowed ? consent.allowedBefore : consent.asksAgain, { app: app.name })}</strong>
            </p>
          )}
          <input type="hidden" name="request" value={encryptedRequest} />
          {/* Enter in a checkbox presses the first button. This one does nothing, so Enter never allows access. */}
          <button type="submit" formMethod="dialog" hidden />
          <ConsentScopes viewContext={viewContext} question={question} newScopes={newScopes} />
          {!request.scopes.some((scope) => isRequiredScope(request, scope)) && (
            <p class="secondary">{consent.nothingChecked}</p>
          )}
          <Origin viewContext={viewContext} question={question} />
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
        <AboutApp viewContext={viewContext} app={app} />
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

interface ConsentHeaderProps {
  viewContext: ViewContext;
  app: App;
  authorizationQuery: string;
}

/** The app and the person. */
function ConsentHeader({ viewContext, app, authorizationQuery }: ConsentHeaderProps): VNode {
  const { messages, viewer } = viewContext;
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
        <span>{interpolateNodes(messages.nav.signedInAs, { name: <b>{formatFullName(viewer!)}</b> })}</span>
        <a href={buildSwitchAccountUrl(viewContext, authorizationQuery)}>{messages.consent.switchAccount}</a>
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

interface OriginProps {
  viewContext: ViewContext;
  question: ConsentQuestion;
}

/** Who registered the app, when, how many people use it, and where the person continues. */
function Origin({ viewContext, question: { request, owner, peopleCount } }: OriginProps): VNode {
  const { consent } = viewContext.messages;
  return (
    <p class="secondary">
      <AppRegistration viewContext={viewContext} app={request.app} owner={owner} />{' '}
      {formatPeopleCount(viewContext, peopleCount)}{' '}
      {interpolateNodes(consent.redirectNotice, { place: <b>{formatRedirectDestination(request.redirectUri)}</b> })}
    </p>
  );
}

/** Returns how many people use the app, with one significant digit; never a number below 10. */
function formatPeopleCount({ messages: { consent }, locale }: ViewContext, count: number): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 1 });
  return interpolate(count < MIN_SHOWN_PEOPLE ? consent.usedByFew : consent.usedBy, {
    count: format.format(Math.max(count, MIN_SHOWN_PEOPLE)),
  });
}

interface AboutAppProps {
  viewContext: ViewContext;
  app: App;
}

/** The developer's description and documents, and how to remove the access. */
function AboutApp({ viewContext, app }: AboutAppProps): VNode {
  const { consent } = viewContext.messages;
  return (
    <p class="secondary facts">
      {app.description && <span>{interpolate(consent.appDescription, { description: app.description })}</span>}
      {app.privacyPolicy && (
        <ExternalLink viewContext={viewContext} href={app.privacyPolicy} text={consent.privacyPolicy} />
      )}
      {app.termsOfService && (
        <ExternalLink viewContext={viewContext} href={app.termsOfService} text={consent.termsOfService} />
      )}
      <span>{consent.revocationHint}</span>
    </p>
  );
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
  const label = text === undefined ? host : `${text} (${host})`;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" aria-label={`${label} ${messages.opensInNewTab}`}>
      {label}
    </a>
  );
}
