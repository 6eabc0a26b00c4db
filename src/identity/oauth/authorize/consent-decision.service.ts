import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Session } from '../../accounts/session.entity.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import type { Scope } from '../../scopes/scopes.js';
import type { Consent } from '../consents/consent.entity.js';
import { ConsentsService, coversScopes, type ConsentKey } from '../consents/consents.service.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** Turns what a person allows into a code. Each holds the person's account, so that a block or a removal waits or wins. */
@Injectable()
export class ConsentDecisionService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly consents: ConsentsService,
    private readonly codes: AuthorizationCodesService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * The person says yes.
   * @param answer names the page that they answered
   * @returns the code, or undefined where they are blocked
   */
  allow(
    request: AuthorizationRequest,
    session: Session,
    answer: string,
    granted: Scope[],
  ): Promise<string | undefined> {
    return this.issueCode(request, session, granted, answer, (tx, parties) =>
      this.consents.recordDecision(tx, parties, request.scopes, granted),
    );
  }

  /** The person says no: what they were asked for, the app may do no more without asking. */
  async deny({ app, scopes }: AuthorizationRequest, { accountId }: Session): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.accounts.findForUpdate(tx, accountId);
      await this.consents.recordDecision(tx, { accountId, appId: app.id }, scopes, []);
    });
  }

  /** The person said yes to all of it before. @returns the code, or undefined where that does not hold any more */
  reuseConsent(request: AuthorizationRequest, session: Session): Promise<string | undefined> {
    return this.issueCode(request, session, request.scopes, randomUUID(), (tx, parties) =>
      this.consents.find(parties, tx),
    );
  }

  private issueCode(
    { app, redirectUri, codeChallenge, nonce }: AuthorizationRequest,
    { accountId, authTime }: Session,
    scopes: Scope[],
    answer: string,
    consenting: (tx: EntityManager, parties: ConsentKey) => Promise<Consent | null>,
  ): Promise<string | undefined> {
    const parties = { accountId, appId: app.id };
    return this.transactions.run(async (tx) => {
      const { blockedAt } = await this.accounts.findForUpdate(tx, accountId);
      const consent = blockedAt ? null : await consenting(tx, parties);
      if (!coversScopes(consent, scopes)) return undefined;
      const bound = { ...parties, consentId: consent.id, scopes, redirectUri, codeChallenge, nonce, authTime };
      return this.codes.issue(tx, answer, bound);
    });
  }
}
