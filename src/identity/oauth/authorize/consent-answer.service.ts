import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { type Account, isBlocked } from '../../accounts/account.entity.js';
import { AccountMailService } from '../../accounts/account-mail.service.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import { formatBrowserName } from '../../accounts/sessions/browser-name.js';
import type { Session } from '../../accounts/sessions/session.entity.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { describeScope } from '../../scopes/scope-messages.js';
import type { Scope } from '../../scopes/scopes.js';
import type { Consent } from '../consents/consent.entity.js';
import { type AccountAndApp, ConsentsService, coversScopes } from '../consents/consents.service.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import { type AuthorizationRequest, getShownApp } from './authorization-request.js';

/**
 * Records the person's decision and issues the code. Each method locks the account against
 * concurrent blocks.
 */
@Injectable()
export class ConsentAnswerService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly consents: ConsentsService,
    private readonly codes: AuthorizationCodesService,
    private readonly transactions: TransactionService,
    private readonly mail: AccountMailService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Records that the person allowed the scopes. The person gets an e-mail if the app was not
   * connected before.
   * @param formId id of the consent form
   * @returns the code, or undefined if the account is blocked
   */
  allow(
    request: AuthorizationRequest,
    session: Session,
    formId: string,
    granted: Scope[],
  ): Promise<string | undefined> {
    return this.issueCode(request, session, granted, formId, async (tx, key, account) => {
      const { name } = request.app;
      const isNew = (await this.consents.find(key, tx)) === null;
      const consent = await this.consents.recordDecision(tx, key, request.scopes, granted, getShownApp(request));
      if (isNew && consent) {
        await this.mail.enqueue(tx, account, 'appConnected', {
          path: `/account/apps/${key.appId}`,
          values: { app: name },
          lists: (language) => ({ scopes: granted.map((scope) => describeScope(scope, language, name)) }),
        });
      }
      return consent;
    });
  }

  /** Records that the person denied the request: the consent loses all requested scopes. */
  async deny({ app, scopes }: AuthorizationRequest, { accountId }: Session): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      await this.consents.recordDecision(tx, { accountId, appId: app.id }, scopes, []);
    });
  }

  /**
   * Issues a code for an existing consent.
   * @returns undefined if the consent no longer covers the request
   */
  reuseConsent(request: AuthorizationRequest, session: Session): Promise<string | undefined> {
    return this.issueCode(request, session, request.scopes, randomUUID(), (tx, key) => this.consents.find(key, tx));
  }

  private async issueCode(
    { app, resources, redirectUri, codeChallenge, dpopJkt, nonce }: AuthorizationRequest,
    session: Session,
    scopes: Scope[],
    formId: string,
    resolveConsent: (tx: EntityManager, key: AccountAndApp, account: Account) => Promise<Consent | null>,
  ): Promise<string | undefined> {
    const { accountId, authTime, amr } = session;
    const browser = formatBrowserName(session.userAgent);
    const key = { accountId, appId: app.id };
    return this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, accountId);
      if (isBlocked(account)) return undefined;
      await this.sessions.assertActive(tx, session);
      const consent = await resolveConsent(tx, key, account);
      if (!coversScopes(consent, scopes)) return undefined;
      const codeRequest = { scopes, resources, redirectUri, codeChallenge, dpopJkt, nonce };
      const owner = { ...key, consentId: consent.id, ...codeRequest, authTime, amr, browser };
      return this.codes.issue(tx, formId, owner);
    });
  }
}
