import type { Account } from '../../accounts/account.entity.js';
import { summarizeScopes } from '../../scopes/scope-summary.js';
import type { Scope } from '../../scopes/scopes.js';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { type AuthorizationRequest, isRequiredScope } from './authorization-request.js';
import { AboutApp, ConsentHeader } from './consent-header.js';
import { ConsentScopes } from './consent-scopes.js';

interface ConsentPageProps {
  request: AuthorizationRequest;
  /** Scopes that the person allowed this app before. */
  allowedScopes: Scope[];
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
  /** Parameters of the authorization request. */
  authorizationParams: URLSearchParams;
  /** Hidden form field. */
  encryptedRequest: string;
}

/** Renders the consent page, on which the person allows or denies the requested scopes. */
export function renderConsentPage(viewContext: ViewContext, props: ConsentPageProps): View {
  const { request, allowedScopes, owner, authorizationParams, encryptedRequest } = props;
  const { messages, basePath, language } = viewContext;
  const { consent } = messages;
  const { app, redirectUri } = request;
  const newScopes = request.scopes.filter((scope) => !allowedScopes.includes(scope));
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
          <ConsentHeader
            viewContext={viewContext}
            app={app}
            redirectUri={redirectUri}
            authorizationParams={authorizationParams}
          />
          <p>
            <strong>{formatSummary(viewContext, request, newScopes)}</strong>
          </p>
          <input type="hidden" name="request" value={encryptedRequest} />
          {/* Enter in a checkbox presses the first button. This one does nothing, so Enter never allows access. */}
          <button type="submit" formMethod="dialog" hidden />
          <ConsentScopes viewContext={viewContext} request={request} newScopes={newScopes} />
          {request.scopes.some((scope) => !isRequiredScope(request, scope)) && (
            <p class="secondary">{consent.optionalScopesHint}</p>
          )}
          <div class="actions">
            <button type="submit" name="decision" value="allow">
              {consent.allow}
            </button>
            <button type="submit" name="decision" value="deny" class="quiet">
              {consent.deny}
            </button>
          </div>
        </form>
        <AboutApp viewContext={viewContext} app={app} owner={owner} />
        <p class="secondary">{consent.revocationHint}</p>
      </>
    ),
  };
}

/** Returns one sentence about everything that the app could do, or could do more than before. */
function formatSummary(
  { messages: { consent }, language }: ViewContext,
  { app, scopes }: AuthorizationRequest,
  newScopes: Scope[],
): string {
  if (newScopes.length === 0) return interpolate(consent.allowedBefore, { app: app.name });
  const sentence = newScopes.length < scopes.length ? consent.summaryOfNew : consent.summary;
  return interpolate(sentence, { app: app.name, actions: summarizeScopes(newScopes, language) });
}
