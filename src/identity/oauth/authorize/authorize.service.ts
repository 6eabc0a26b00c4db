import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { getSingleParam } from '../../../platform/http/search-params.decorator.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { ConsentsService, coversScopes } from '../consents/consents.service.js';
import { AuthenticationRequestTime } from './authentication-request-time.service.js';
import { AuthorizationError, type AuthorizationErrorCode, createConsentRequiredError } from './authorization-error.js';
import { type AuthorizationRequest, isRequiredScope, mustShowConsentPage } from './authorization-request.js';
import { AuthorizationRequestParser } from './authorization-request-parser.service.js';
import { redirectWithCode, redirectWithError } from './authorization-response.js';
import { renderBlockedPage } from './blocked.page.js';
import { ConsentDecisionService } from './consent-decision.service.js';
import { ConsentForm } from './consent-form.service.js';
import { isOtherAccount, requiresReauthentication } from './reauthentication.js';

/**
 * Errors that follow from a valid request. The app's developer need not correct them, so they are
 * not recorded.
 */
const USER_DECISION_ERRORS = new Set<AuthorizationErrorCode>(['access_denied', 'login_required', 'consent_required']);

/** The authorization endpoint (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2). */
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

  /**
   * Handles an authorization request: sign-in, consent page, or a code if the person consented
   * before.
   */
  async authorize(
    viewContext: ViewContext,
    params: URLSearchParams,
    session: Session | null,
  ): Promise<View | Redirect> {
    return this.handleRequest(params, async (request) => {
      const requestedAt = this.requestTime.read(params);
      if (!session || requiresReauthentication(request, session, requestedAt)) {
        return this.redirectToSignIn(request, params, session, requestedAt);
      }
      if (session.account.blockedAt) return this.renderBlockedPage(viewContext, request, params, session);
      const consent = await this.consents.find({ accountId: session.accountId, appId: request.app.id });
      const isAllowed = coversScopes(consent, request.scopes);
      if (isAllowed && !mustShowConsentPage(request)) {
        const code = await this.consentDecisions.reuseConsent(request, session);
        return this.redirectWithCodeOrRestart(request, code, params);
      }
      if (request.prompt.has('none')) throw createConsentRequiredError(isAllowed);
      return this.consentForm.render(viewContext, request, params, session, consent?.scopes ?? []);
    });
  }

  /**
   * Handles the consent form. It parses the request again, since the app's registration may have
   * changed.
   */
  async submitConsent(
    viewContext: ViewContext,
    form: URLSearchParams,
    session: Session | null,
  ): Promise<View | Redirect> {
    const { decision, formId, params, selectedScopes, sessionDigest, isExpired } = this.consentForm.parse(form);
    if (isExpired || session?.digest !== sessionDigest) return this.restart(params);
    return this.handleRequest(params, async (request) => {
      const granted = request.scopes.filter(
        (scope) => isRequiredScope(request, scope) || selectedScopes.includes(scope),
      );
      if (decision === 'deny' || granted.length === 0) {
        await this.consentDecisions.deny(request, session);
        throw new AuthorizationError('access_denied', 'The person denied the request.');
      }
      if (session.account.blockedAt) return this.renderBlockedPage(viewContext, request, params, session);
      const code = await this.consentDecisions.allow(request, session, formId, granted);
      return this.redirectWithCodeOrRestart(request, code, params);
    });
  }

  /**
   * Parses a request and responds to it. An AuthorizationError is returned to the app by redirect.
   */
  private async handleRequest(
    params: URLSearchParams,
    respond: (request: AuthorizationRequest) => Promise<View | Redirect>,
  ): Promise<View | Redirect> {
    const target = await this.requestParser.resolveRedirectTarget(params);
    try {
      return await respond(await this.requestParser.parse(target, params));
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      if (!USER_DECISION_ERRORS.has(error.code)) {
        this.requestParser.recordFailure(target.app, error.code, error.description, error.violation);
      }
      return redirectWithError(target, this.settings.BASE_URL, error);
    }
  }

  /**
   * Without a code, the account was blocked or the consent withdrawn concurrently: the request is
   * evaluated again.
   */
  private redirectWithCodeOrRestart(
    request: AuthorizationRequest,
    code: string | undefined,
    params: URLSearchParams,
  ): Redirect {
    return code === undefined ? this.restart(params) : redirectWithCode(request, this.settings.BASE_URL, code);
  }

  private restart(params: URLSearchParams): Redirect {
    return new Redirect(`${this.endpointPath}?${params}`);
  }

  /** @throws AuthorizationError login_required */
  private redirectToSignIn(
    request: AuthorizationRequest,
    params: URLSearchParams,
    session: Session | null,
    requestedAt: Date,
  ): Redirect {
    if (request.prompt.has('none'))
      throw new AuthorizationError(
        'login_required',
        'The person must sign in. Repeat the request without prompt=none.',
      );
    if (session && isOtherAccount(request, session) && session.authTime >= requestedAt) {
      throw new AuthorizationError('login_required', 'id_token_hint does not belong to the signed-in person.');
    }
    const returnTo = `${this.endpointPath}?${this.requestTime.addTo(params, requestedAt)}`;
    const query = new URLSearchParams({ return_to: returnTo });
    if (session) query.set('again', 'yes');
    for (const name of ['login_hint', 'ui_locales']) {
      const value = getSingleParam(params, name);
      if (value) query.set(name, value);
    }
    return new Redirect(`${this.settings.basePath}/sign-in?${query}`);
  }

  /** @throws AuthorizationError access_denied if no page may be shown */
  private renderBlockedPage(
    viewContext: ViewContext,
    request: AuthorizationRequest,
    params: URLSearchParams,
    { account }: Session,
  ): View {
    const error = new AuthorizationError('access_denied', 'The account of this person is blocked.');
    if (request.prompt.has('none')) throw error;
    return renderBlockedPage(viewContext, {
      reason: account.blockedReason ?? '',
      appName: request.app.name,
      errorRedirectUrl: redirectWithError(request, this.settings.BASE_URL, error).location,
      authorizationParams: params,
    });
  }

  private get endpointPath(): string {
    return `${this.settings.basePath}/api/oauth/authorize`;
  }
}
