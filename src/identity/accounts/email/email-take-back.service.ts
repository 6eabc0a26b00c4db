import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { EmailTakenError } from '../account-errors.js';
import { AccountMailService } from '../account-mail.service.js';
import type { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { ReservedIdentitiesService } from '../deletion/reserved-identities.service.js';
import type { EmailToken } from '../email-token.entity.js';
import { EmailTokensService } from '../email-tokens.service.js';
import { PasswordResetService } from '../password/password-reset.service.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Days in which an old address can be taken back, and in which it is reserved. */
const TAKE_BACK_DAYS = 7;

const TAKE_BACK_LIFETIME_MS = TAKE_BACK_DAYS * 24 * 3600_000;

/** The account and the address of a link that takes the address back. */
export interface TakeBackTarget {
  username: string;
  email: string;
}

/** Lets the owner of an account take back an address that another person replaced. */
@Injectable()
export class EmailTakeBackService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly tokens: EmailTokensService,
    private readonly reservedIdentities: ReservedIdentitiesService,
    private readonly passwordReset: PasswordResetService,
    private readonly sessions: SessionsService,
    private readonly mail: AccountMailService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Tells the old address about a change. If it was confirmed, the message contains a link that
   * takes it back, and no other account can take it while the link works.
   * @param account the account with the old address
   */
  async tellOldAddress(
    tx: EntityManager,
    account: Account,
    kind: 'emailChangeRequested' | 'emailChanged',
    newEmail: string,
  ): Promise<void> {
    const { id: accountId, email, emailVerifiedAt } = account;
    if (email === null || emailVerifiedAt === null || !this.mail.isAvailable) {
      return this.mail.enqueue(tx, account, kind, { values: { newEmail } });
    }
    const link = { purpose: 'take-back-email', accountId, email, lifetimeMs: TAKE_BACK_LIFETIME_MS } as const;
    const { token } = await this.tokens.create(tx, link);
    await this.reservedIdentities.reserve(tx, [email], TAKE_BACK_LIFETIME_MS);
    // Without `linkExpiresAt`: a later message does not replace the link, and no message waits for
    // 7 days.
    const values = { newEmail, days: String(TAKE_BACK_DAYS) };
    await this.mail.enqueue(tx, account, kind, { values, path: `/take-back-email?token=${token}` });
  }

  /** Returns the account and the address of a link. @throws InvalidLinkError */
  async findTarget(token: string): Promise<TakeBackTarget> {
    const { accountId, email } = await this.findLink(token);
    const { username } = await this.accounts.get(accountId);
    return { username, email };
  }

  /**
   * Makes the address of a link the one of its account again, also if the account is blocked. Ends
   * the sessions, the links that were made since the change, and a change that is not confirmed.
   * @returns the path and query of a page that sets a new password
   * @throws InvalidLinkError
   * @throws EmailTakenError
   */
  async takeBack(token: string): Promise<string> {
    const link = await this.findLink(token);
    const { email } = link;
    return this.transactions.run(async (tx) => {
      await this.accounts.lockUsernamesAndEmails(tx, email);
      const account = await this.accounts.findForUpdate(tx, link.accountId);
      await this.tokens.use(tx, link);
      const owner = await this.accounts.findByEmail(tx, email);
      if (owner && owner.id !== account.id) throw new EmailTakenError();
      await this.accounts.updateVerifiedEmail(tx, account.id, email);
      await this.tokens.endAll(tx, account.id);
      await this.tokens.endTakeBacks(tx, account.id, email);
      await this.sessions.endAll(tx, account.id);
      await this.audit.record(tx, { type: 'email.taken_back', accountId: account.id });
      if (!owner) await this.mail.enqueue(tx, account, 'emailChanged', { values: { newEmail: email } });
      return (await this.passwordReset.createMailedLink(tx, account.id, email)).path;
    });
  }

  private async findLink(token: string): Promise<EmailToken & { email: string }> {
    const link = await this.tokens.getWaiting('take-back-email', token);
    return { ...link, email: link.email! };
  }
}
