import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { AccountAppsRegistry } from '../account-apps.registry.js';
import { AccountMailService } from '../account-mail.service.js';
import type { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import { EmailTokensService } from '../email-tokens.service.js';
import { hashPassword } from '../password-hashing.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { assertSamePassword, PasswordConfirmationService } from '../sign-in/password-confirmation.service.js';
import { assertNewPassword, assertOperatorPassword } from './password-rules.js';

/** Input of the form that changes the password. */
export interface PasswordChange {
  currentPassword: string | null;
  newPassword: string;
  /** Whether the access of all apps ends too. */
  disconnectsApps: boolean;
}

/** A new password and its cause. */
export interface PasswordReplacement {
  /** Hash of the new password. */
  passwordHash: string;
  /** `password.changed` if the person entered the old password, otherwise `password.reset`. */
  event: 'password.changed' | 'password.reset';
  /** A sentence for the audit log: the actor, if it is not the person. */
  detail?: string;
  /** The session that stays. */
  except?: Session;
}

/** Changes passwords, and ends the access that depends on the old one. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly apps: AccountAppsRegistry,
    private readonly tokens: EmailTokensService,
    private readonly mail: AccountMailService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Changes the password of a person who knows the current one, and ends the other sessions.
   * @returns the renewed cookie of this session
   * @throws InvalidFieldsError if a password is invalid or wrong
   * @throws DomainError `too_many_password_attempts`
   * @throws SessionEndedError
   */
  async change(
    session: Session,
    { currentPassword, newPassword, disconnectsApps }: PasswordChange,
  ): Promise<SetCookie> {
    const { account } = session;
    await assertNewPassword(newPassword, account, 'new_password');
    await this.passwordConfirmation.verify(session, currentPassword, 'current_password');
    const passwordHash = await hashPassword(newPassword);
    return this.transactions.run(async (tx) => {
      const current = await this.accounts.findForUpdate(tx, account.id);
      assertSamePassword(current, account, 'current_password');
      await this.replace(tx, current, { passwordHash, event: 'password.changed', except: session });
      if (disconnectsApps) {
        const detail = 'The person changed the password and disconnected all apps.';
        await this.apps.removeAllAccess(tx, account.id, detail);
      }
      // Undoes the change if the session ended meanwhile.
      return this.sessions.renew(tx, session);
    });
  }

  /**
   * Sets the password by command, and ends the sessions and the links of the account.
   * @param password 1 to 200 characters
   * @throws DomainError not_found, InvalidFieldsError
   */
  async setByOperator(usernameOrEmail: string, password: string): Promise<Account> {
    assertOperatorPassword(password);
    const { id } = await this.accounts.getByUsernameOrEmail(usernameOrEmail);
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, id);
      const detail = 'The operator set the password.';
      await this.replace(tx, account, { passwordHash, event: 'password.reset', detail });
      return account;
    });
  }

  /**
   * Stores a new password, ends the sessions and all waiting links of the account, and tells the
   * person. The caller has locked the account.
   */
  async replace(
    tx: EntityManager,
    account: Account,
    { passwordHash, event, detail, except }: PasswordReplacement,
  ): Promise<void> {
    await this.accounts.updatePassword(tx, account.id, passwordHash);
    await this.sessions.endAll(tx, account.id, except);
    await this.tokens.endAll(tx, account.id);
    await this.audit.record(tx, { type: event, accountId: account.id, ...(detail !== undefined && { detail }) });
    await this.mail.enqueue(tx, account, 'passwordChanged');
  }
}
