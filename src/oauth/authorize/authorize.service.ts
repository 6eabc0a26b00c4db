import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.entity.js';
import { Settings } from '../../config/settings.js';
import { single } from '../../http/search-params.js';
import { SeeOther } from '../../http/see-other.js';
import type { Ui } from '../../views/ui.js';
import type { View } from '../../views/view.js';
import { ConsentsService, covers } from '../consents/consents.service.js';
import { AskedAt } from './asked-at.js';
import { AuthorizationError, type AuthorizationErrorCode } from './authorization-error.js';
import { type AuthorizationRequest, isNeeded } from './authorization-request.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { blockedPage } from './blocked.page.js';
import { ConsentPages } from './consent-pages.service.js';
import { Decisions } from './decisions.service.js';
import { replyWithCode, replyWithError } from './reply.js';

/** What the app asked for as it should, and the person did not give. */
const UP_TO_THE_PERSON = new Set<AuthorizationErrorCode>(['access_denied', 'login_required', 'consent_required']);

/** The authorization endpoint, step by step (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2). */
@Injectable()
export class AuthorizeService {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly consents: ConsentsService,
    private readonly pages: ConsentPages,
    private readonly decisions: Decisions,
    private readonly askedAt: AskedAt,
    private readonly settings: Settings,
  ) {}

  /** An app sends a person: they must sign in, or be asked, or have allowed it already. */
  async begin(ui: Ui, params: URLSearchParams, session: Session | null): Promise<View | SeeOther> {
    return this.answering(params, async (request) => {
      const askedAt = this.askedAt.of(params);
      if (!session || mustSignInAgain(request, session, askedAt)) return this.signIn(request, params, session, askedAt);
      if (session.account.blockedAt) return this.blocked(ui, request, params, session);
      const consent = await this.consents.find({ accountId: session.accountId, appId: request.app.id });
      if (covers(consent, request.scopes) && !request.prompt.has('consent')) {
        return this.reply(request, await this.decisions.repeat(request, session), params);
      }
      if (request.prompt.has('none')) throw new AuthorizationError('consent_required', 'The person must be asked.');
      return this.pages.ask(ui, request, params, session);
    });
  }

  /** The person answers the consent page. What it asked for is read anew, since the app may have changed meanwhile. */
  async answer(ui: Ui, form: URLSearchParams, session: Session | null): Promise<View | SeeOther> {
    const asked = this.pages.read(form);
    if (!asked.isFresh || session?.digest !== asked.session) return new SeeOther(`${this.path}?${asked.params}`);
    return this.answering(asked.params, async (request) => {
      const granted = request.scopes.filter((scope) => isNeeded(request, scope) || asked.allowed.includes(scope));
      if (asked.decision === 'deny' || granted.length === 0) {
        await this.decisions.deny(request, session);
        throw new AuthorizationError('access_denied', 'The person did not allow it.');
      }
      if (session.account.blockedAt) return this.blocked(ui, request, asked.params, session);
      return this.reply(request, await this.decisions.allow(request, session, asked.id, granted), asked.params);
    });
  }

  /** Answers the app where a request cannot be granted, if it is known where to. */
  private async answering(
    params: URLSearchParams,
    answer: (request: AuthorizationRequest) => Promise<View | SeeOther>,
  ): Promise<View | SeeOther> {
    const to = await this.requests.replyTo(params);
    try {
      return await answer(await this.requests.read(to, params));
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      if (!UP_TO_THE_PERSON.has(error.code)) this.requests.note(to.app, error.code, error.description);
      return replyWithError(to, this.settings.BASE_URL, error);
    }
  }

  /** Sends the code to the app; without one the person was blocked or took their yes back this moment, so again. */
  private reply(request: AuthorizationRequest, code: string | undefined, params: URLSearchParams): SeeOther {
    if (code === undefined) return new SeeOther(`${this.path}?${params}`);
    return replyWithCode(request, this.settings.BASE_URL, code);
  }

  private signIn(
    request: AuthorizationRequest,
    params: URLSearchParams,
    session: Session | null,
    askedAt: Date,
  ): SeeOther {
    if (request.prompt.has('none')) throw new AuthorizationError('login_required', 'The person must sign in.');
    if (isAnother(request, session) && session!.authTime >= askedAt) {
      throw new AuthorizationError('login_required', 'Another person signed in than the id_token_hint names.');
    }
    const query = new URLSearchParams({ return_to: `${this.path}?${this.askedAt.mark(params, askedAt)}` });
    if (session) query.set('again', 'yes');
    for (const name of ['login_hint', 'ui_locales']) {
      const value = single(params, name);
      if (value) query.set(name, value);
    }
    return new SeeOther(`${this.settings.basePath}/sign-in?${query}`);
  }

  private blocked(ui: Ui, request: AuthorizationRequest, params: URLSearchParams, { account }: Session): View {
    const denied = new AuthorizationError('access_denied', 'The account of this person is blocked.');
    if (request.prompt.has('none')) throw denied;
    const back = replyWithError(request, this.settings.BASE_URL, denied).location;
    const { app } = request;
    return blockedPage(ui, { reason: account.blockedReason ?? '', app: app.name, back, query: params });
  }

  private get path(): string {
    return `${this.settings.basePath}/api/oauth/authorize`;
  }
}

/** Milliseconds in which coming back from signing in is fresh enough for any `max_age`, also for one of 0. */
const GRACE = 60_000;

/** Whether the person's proof of who they are will not do: too old for what the app asks, or another's. */
function mustSignInAgain(request: AuthorizationRequest, session: Session, askedAt: Date): boolean {
  const { prompt, maxAge } = request;
  const isAskedFor = prompt.has('login') || prompt.has('select_account');
  const isSince = session.authTime >= askedAt;
  const age = Date.now() - session.authTime.getTime();
  const isTooOld = maxAge !== undefined && age > maxAge * 1000 && !(isSince && age < GRACE);
  return (isAskedFor && !isSince) || isTooOld || isAnother(request, session);
}

function isAnother({ hintedAccountId }: AuthorizationRequest, session: Session | null): boolean {
  return session !== null && hintedAccountId !== undefined && hintedAccountId !== session.accountId;
}
