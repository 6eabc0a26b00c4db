import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../../platform/config/settings.js';
import { getSingleParam } from '../../../platform/http/search-params.decorator.js';
import { Redirect } from '../../../platform/http/redirect.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import { ConsentsService, coversScopes } from '../consents/consents.service.js';
import { AuthenticationRequestTime } from './authentication-request-time.service.js';
import { AuthorizationError, type AuthorizationErrorCode } from './authorization-error.js';
import { type AuthorizationRequest, isRequiredScope } from './authorization-request.js';
import { AuthorizationRequestParser } from './authorization-request-parser.service.js';
import { renderBlockedPage } from './blocked.page.js';
import { ConsentForm } from './consent-form.service.js';
import { ConsentDecisionService } from './consent-decision.service.js';
import { redirectWithCode, redirectWithError } from './authorization-response.js';

/** What the app asked for as it should, and the person did not give. */
const USER_DECISION_ERRORS = new Set<AuthorizationErrorCode>(['access_denied', 'login_required', 'consent_required']);

/** The authorization endpoint, step by step (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2). */
@Injectable()
export class AuthorizeService {
  constructor(
    private readonly requestParser: AuthorizationRequestParser,
    private readonly consents: ConsentsService,
    private readonly consentForm: ConsentForm,
    private readonly consentDecisions: ConsentDecisionService,
    private readonly requestTime: AuthenticationRequestTime,
    private readonly settings: Settings,
  ) {}

  /** An app sends a person: they must sign in, or be asked, or have allowed it already. */
  async authorize(ui: ViewContext, params: URLSearchParams, session: Session | null): Promise<View | Redirect> {
    return this.handleRequest(params, async (request) => {
      const askedAt = this.requestTime.read(params);
      if (!session || requiresReauthentication(request, session, askedAt))
        return this.redirectToSignIn(request, params, session, askedAt);
      if (session.account.blockedAt) return this.renderBlockedPage(ui, request, params, session);
      const consent = await this.consents.find({ accountId: session.accountId, appId: request.app.id });
      if (coversScopes(consent, request.scopes) && !request.prompt.has('consent')) {
        return this.redirectWithCodeOrRestart(
          request,
          await this.consentDecisions.reuseConsent(request, session),
          params,
        );
      }
      if (request.prompt.has('none')) throw new AuthorizationError('consent_required', 'The person must be asked.');
      return this.consentForm.render(ui, request, params, session);
    });
  }

  /** The person answers the consent page. What it asked for is read anew, since the app may have changed meanwhile. */
  async submitConsent(ui: ViewContext, form: URLSearchParams, session: Session | null): Promise<View | Redirect> {
    const asked = this.consentForm.parse(form);
    if (!asked.isFresh || session?.digest !== asked.sessionDigest)
      return new Redirect(`${this.endpointPath}?${asked.params}`);
    return this.handleRequest(asked.params, async (request) => {
      const granted = request.scopes.filter(
        (scope) => isRequiredScope(request, scope) || asked.selectedScopes.includes(scope),
      );
      if (asked.decision === 'deny' || granted.length === 0) {
        await this.consentDecisions.deny(request, session);
        throw new AuthorizationError('access_denied', 'The person did not allow it.');
      }
      if (session.account.blockedAt) return this.renderBlockedPage(ui, request, asked.params, session);
      return this.redirectWithCodeOrRestart(
        request,
        await this.consentDecisions.allow(request, session, asked.formId, granted),
        asked.params,
      );
    });
  }

  /** Answers the app where a request cannot be granted, if it is known where to. */
  private async handleRequest(
    params: URLSearchParams,
    answer: (request: AuthorizationRequest) => Promise<View | Redirect>,
  ): Promise<View | Redirect> {
    const to = await this.requestParser.resolveRedirectTarget(params);
    try {
      return await answer(await this.requestParser.parse(to, params));
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      if (!USER_DECISION_ERRORS.has(error.code))
        this.requestParser.recordFailure(to.app, error.code, error.description);
      return redirectWithError(to, this.settings.BASE_URL, error);
    }
  }

  /** Sends the code to the app; without one the person was blocked or took their yes back this moment, so again. */
  private redirectWithCodeOrRestart(
    request: AuthorizationRequest,
    code: string | undefined,
    params: URLSearchParams,
  ): Redirect {
    if (code === undefined) return new Redirect(`${this.endpointPath}?${params}`);
    return redirectWithCode(request, this.settings.BASE_URL, code);
  }

  private redirectToSignIn(
    request: AuthorizationRequest,
    params: URLSearchParams,
    session: Session | null,
    askedAt: Date,
  ): Redirect {
    if (request.prompt.has('none')) throw new AuthorizationError('login_required', 'The person must sign in.');
    if (isDifferentAccount(request, session) && session!.authTime >= askedAt) {
      throw new AuthorizationError('login_required', 'Another person signed in than the id_token_hint names.');
    }
    const query = new URLSearchParams({ return_to: `${this.endpointPath}?${this.requestTime.addTo(params, askedAt)}` });
    if (session) query.set('again', 'yes');
    for (const name of ['login_hint', 'ui_locales']) {
      const value = getSingleParam(params, name);
      if (value) query.set(name, value);
    }
    return new Redirect(`${this.settings.basePath}/sign-in?${query}`);
  }

  private renderBlockedPage(
    ui: ViewContext,
    request: AuthorizationRequest,
    params: URLSearchParams,
    { account }: Session,
  ): View {
    const denied = new AuthorizationError('access_denied', 'The account of this person is blocked.');
    if (request.prompt.has('none')) throw denied;
    const back = redirectWithError(request, this.settings.BASE_URL, denied).location;
    const { app } = request;
    return renderBlockedPage(ui, {
      reason: account.blockedReason ?? '',
      appName: app.name,
      errorRedirectUrl: back,
      authorizationParams: params,
    });
  }

  private get endpointPath(): string {
    return `${this.settings.basePath}/api/oauth/authorize`;
  }
}

/** Milliseconds in which coming back from signing in is fresh enough for any `max_age`, also for one of 0. */
const REAUTHENTICATION_GRACE_MS = 60_000;

/** Whether the person's proof of who they are will not do: too old for what the app asks, or another's. */
function requiresReauthentication(request: AuthorizationRequest, session: Session, askedAt: Date): boolean {
  const { prompt, maxAge } = request;
  const isAskedFor = prompt.has('login') || prompt.has('select_account');
  const isSince = session.authTime >= askedAt;
  const age = Date.now() - session.authTime.getTime();
  const isTooOld = maxAge !== undefined && age > maxAge * 1000 && !(isSince && age < REAUTHENTICATION_GRACE_MS);
  return (isAskedFor && !isSince) || isTooOld || isDifferentAccount(request, session);
}

function isDifferentAccount({ hintedAccountId }: AuthorizationRequest, session: Session | null): boolean {
  return session !== null && hintedAccountId !== undefined && hintedAccountId !== session.accountId;
}
