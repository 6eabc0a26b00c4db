import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Session } from '../../accounts/session.entity.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { Transactions } from '../../database/transactions.js';
import type { Scope } from '../../scopes/catalogue.js';
import type { Consent } from '../consents/consent.entity.js';
import { ConsentsService, covers, type Parties } from '../consents/consents.service.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** Turns what a person allows into a code. Each holds the person's account, so that a block or a removal waits or wins. */
@Injectable()
export class Decisions {
  constructor(
    private readonly accounts: AccountsService,
    private readonly consents: ConsentsService,
    private readonly codes: AuthorizationCodesService,
    private readonly transactions: Transactions,
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
    return this.code(request, session, granted, answer, (tx, parties) =>
      this.consents.answer(tx, parties, request.scopes, granted),
    );
  }

  /** The person says no: what they were asked for, the app may do no more without asking. */
  async deny({ app, scopes }: AuthorizationRequest, { accountId }: Session): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.accounts.hold(tx, accountId);
      await this.consents.answer(tx, { accountId, appId: app.id }, scopes, []);
    });
  }

  /** The person said yes to all of it before. @returns the code, or undefined where that does not hold any more */
  repeat(request: AuthorizationRequest, session: Session): Promise<string | undefined> {
    return this.code(request, session, request.scopes, randomUUID(), (tx, parties) => this.consents.find(parties, tx));
  }

  private code(
    { app, redirectUri, codeChallenge, nonce }: AuthorizationRequest,
    { accountId, authTime }: Session,
    scopes: Scope[],
    answer: string,
    consenting: (tx: EntityManager, parties: Parties) => Promise<Consent | null>,
  ): Promise<string | undefined> {
    const parties = { accountId, appId: app.id };
    return this.transactions.run(async (tx) => {
      const { blockedAt } = await this.accounts.hold(tx, accountId);
      const consent = blockedAt ? null : await consenting(tx, parties);
      if (!covers(consent, scopes)) return undefined;
      const bound = { ...parties, consentId: consent.id, scopes, redirectUri, codeChallenge, nonce, authTime };
      return this.codes.issue(tx, answer, bound);
    });
  }
}
