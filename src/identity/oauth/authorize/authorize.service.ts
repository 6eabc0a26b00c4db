import { Injectable } from '@nestjs/common';
import { getSingleParam } from '../../../platform/http/request-url.js';
import { type Account, isBlocked } from '../../accounts/account.entity.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import type { Scope } from '../../scopes/scopes.js';
import { ConnectedAppsService } from '../connected-apps/connected-apps.service.js';
import type { Consent } from '../consents/consent.entity.js';
import { ConsentsService, coversScopes, hasSeen } from '../consents/consents.service.js';
import { AuthorizationError, type AuthorizationErrorCode, createConsentRequiredError } from './authorization-error.js';
import {
  type AuthorizationRequest,
  getShownApp,
  isOtherAccount,
  isRequiredScope,
  mustShowConsentPage,
  type RedirectTarget,
  requiresReauthentication,
} from './authorization-request.js';
import { AuthorizationRequestParserService, rejectLongQuery } from './authorization-request-parser.service.js';
import { ConsentAnswerService } from './consent-answer.service.js';
import { ConsentFormService } from './consent-form.service.js';
import { removeRequestTime, SignInStartTimeService } from './sign-in-start-time.service.js';

/** How the authorization endpoint responds to a request. */
export type AuthorizeResult =
  | { type: 'code'; target: RedirectTarget; code: string }
  | { type: 'error'; target: RedirectTarget; error: AuthorizationError }
  /** An error that goes to the app only if the person follows a link. */
  | { type: 'leaving'; target: RedirectTarget; error: AuthorizationError }
  /** The request is evaluated again. */
  | { type: 'restart'; query: string }
  /** @param query the request with its encrypted time, to be repeated after the sign-in */
  | { type: 'sign-in'; query: string; isSignedIn: boolean }
  | { type: 'blocked'; target: RedirectTarget; query: string; account: Account; error: AuthorizationError }
  | ConsentQuestion;

/** The consent page of a request. */
export interface ConsentQuestion {
  type: 'consent';
  request: AuthorizationRequest;
  query: string;
  /** Scopes that the person allowed this app before. */
  allowedScopes: Scope[];
  /** Scopes that the person left out before. */
  leftOutScopes: Scope[];
  changes: AppChanges;
  /** The account that registered the app; null for the operator. */
  owner: Account | null;
  /** The number of people who allow the app to act for them. */
  peopleCount: number;
  /** Hidden form field. */
  encryptedRequest: string;
}

/** What changed of an app since the person allowed it. */
export interface AppChanges {
  /** The name that the person saw, and when the app gave it up. */
  formerName?: { name: string; until: Date };
  /** The redirect host that the person saw. */
  formerHost?: string;
}

/**
 * Errors that follow from a valid request. The app's developer need not correct them, so they are
 * not recorded.
 */
const USER_DECISION_ERRORS = new Set<AuthorizationErrorCode>(['access_denied', 'login_required', 'consent_required']);

/** The authorization endpoint (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2). */
@Injectable()
export class AuthorizeService {
  constructor(
    private readonly requestParser: AuthorizationRequestParserService,
    private readonly accounts: AccountsStore,
    private readonly consents: ConsentsService,
    private readonly consentForm: ConsentFormService,
    private readonly consentAnswers: ConsentAnswerService,
    private readonly connectedApps: ConnectedAppsService,
    private readonly signInStartTime: SignInStartTimeService,
  ) {}

  /**
   * Handles an authorization request: sign-in, consent page, or a code if the person consented
   * before.
   * @param query in the encoding in which it was received
   * @throws DomainError without a valid redirect target
   */
  authorize(query: string, session: Session | null): Promise<AuthorizeResult> {
    return this.handleRequest(query, session, async (request) => {
      rejectLongQuery(removeRequestTime(query));
      const requestedAt = this.signInStartTime.find(query) ?? new Date();
      if (!session || requiresReauthentication(request, session, requestedAt)) {
        return this.requireSignIn(request, query, session, requestedAt);
      }
      if (isBlocked(session.account)) return rejectBlockedAccount(request, query, session);
      const consent = await this.consents.find({ accountId: session.accountId, appId: request.app.id });
      const isAllowed = coversScopes(consent, request.scopes);
      const isSeen = isAllowed && hasSeen(consent, getShownApp(request));
      const isAlwaysShown = mustShowConsentPage(request);
      if (isSeen && !isAlwaysShown) {
        return toCodeResult(request, query, await this.consentAnswers.reuseConsent(request, session));
      }
      if (request.prompt.has('none')) {
        const reason = isAlwaysShown ? 'always' : 'changed';
        throw createConsentRequiredError(isAllowed ? reason : 'scopes');
      }
      return this.askForConsent(request, query, session, consent);
    });
  }

  /**
   * Handles the consent form. It parses the request again, since the app's registration may have
   * changed. An app that got another name in the meantime is shown again.
   * @throws DomainError if the form is not one of this service, or without a valid redirect target
   */
  async submitConsent(form: URLSearchParams, session: Session | null): Promise<AuthorizeResult> {
    const submission = this.consentForm.parse(form);
    const { decision, formId, appName, query, selectedScopes, sessionDigest, isExpired } = submission;
    if (isExpired || session?.digest !== sessionDigest) return { type: 'restart', query };
    return this.handleRequest(query, session, async (request) => {
      const granted = request.scopes.filter(
        (scope) => isRequiredScope(request, scope) || selectedScopes.includes(scope),
      );
      if (decision !== 'allow' || granted.length === 0) {
        if (decision === 'remove') await this.connectedApps.remove(session.accountId, request.app.id);
        else if (decision !== 'keep') await this.consentAnswers.deny(request, session);
        throw new AuthorizationError('access_denied', 'The person denied the request.');
      }
      if (isBlocked(session.account)) return rejectBlockedAccount(request, query, session);
      if (appName !== request.app.name) return { type: 'restart', query };
      return toCodeResult(request, query, await this.consentAnswers.allow(request, session, formId, granted));
    });
  }

  /**
   * Parses a request and handles it. An AuthorizationError is returned to the app. Without a
   * session, and if no person ever allowed the app, it is returned only by a link, so that a link
   * to this service does not redirect to any site (RFC 9700 §4.11.2).
   */
  private async handleRequest(
    query: string,
    session: Session | null,
    handle: (request: AuthorizationRequest) => AuthorizeResult | Promise<AuthorizeResult>,
  ): Promise<AuthorizeResult> {
    const target = await this.requestParser.resolveRedirectTarget(query);
    try {
      return await handle(await this.requestParser.parse(target, query));
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      if (!USER_DECISION_ERRORS.has(error.code)) {
        this.requestParser.recordFailure(target.app, error.code, error.description, error.violation);
      }
      const isUnknownVisitor = !session && getSingleParam(new URLSearchParams(query), 'prompt') !== 'none';
      const isLeaving = isUnknownVisitor && !(await this.consents.wasEverGiven(target.app.id));
      return { type: isLeaving ? 'leaving' : 'error', target, error };
    }
  }

  /** @throws AuthorizationError login_required */
  private requireSignIn(
    request: AuthorizationRequest,
    query: string,
    session: Session | null,
    requestedAt: Date,
  ): AuthorizeResult {
    if (request.prompt.has('none'))
      throw new AuthorizationError(
        'login_required',
        'The person must sign in. Repeat the request without prompt=none.',
      );
    if (session && isOtherAccount(request, session) && session.authTime >= requestedAt) {
      throw new AuthorizationError('login_required', 'id_token_hint does not belong to the signed-in person.');
    }
    return { type: 'sign-in', query: this.signInStartTime.addTo(query, requestedAt), isSignedIn: session !== null };
  }

  private async askForConsent(
    request: AuthorizationRequest,
    query: string,
    session: Session,
    consent: Consent | null,
  ): Promise<ConsentQuestion> {
    const { id, ownerId, name } = request.app;
    const owner = ownerId === null ? null : await this.accounts.get(ownerId);
    const peopleCount = (await this.consents.countPeople([id])).get(id) ?? 0;
    const encryptedRequest = this.consentForm.encryptRequest(query, session, name);
    const { scopes: allowedScopes, leftOutScopes } = consent ?? { scopes: [], leftOutScopes: [] };
    const changes = consent ? findChanges(consent, request) : {};
    const decisions = { allowedScopes, leftOutScopes, changes };
    return { type: 'consent', request, query, ...decisions, owner, peopleCount, encryptedRequest };
  }
}

/** Returns what changed of the app since the person last allowed it. */
function findChanges({ seenNames, seenHosts, updatedAt }: Consent, request: AuthorizationRequest): AppChanges {
  const { name, host } = getShownApp(request);
  const [formerName, formerHost] = [seenNames.at(-1), seenHosts.at(-1)];
  const changes: AppChanges = {};
  if (formerName !== undefined && !seenNames.includes(name)) {
    const until = request.app.formerNames.find((former) => former.name === formerName)?.until;
    changes.formerName = { name: formerName, until: until === undefined ? updatedAt : new Date(until) };
  }
  if (formerHost !== undefined && !seenHosts.includes(host)) changes.formerHost = formerHost;
  return changes;
}

/**
 * Without a code, the account was blocked or the consent withdrawn concurrently: the request is
 * evaluated again.
 */
function toCodeResult(target: RedirectTarget, query: string, code: string | undefined): AuthorizeResult {
  return code === undefined ? { type: 'restart', query } : { type: 'code', target, code };
}

/** @throws AuthorizationError access_denied if no page may be shown */
function rejectBlockedAccount(request: AuthorizationRequest, query: string, { account }: Session): AuthorizeResult {
  const error = new AuthorizationError('access_denied', 'The account of this person is blocked.');
  if (request.prompt.has('none')) throw error;
  return { type: 'blocked', target: request, query, account, error };
}
