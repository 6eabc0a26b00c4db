import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import type { Account } from '../account.entity.js';
import { AccountLinksService } from '../account-links.service.js';
import { AccountMailService } from '../account-mail.service.js';
import { AccountsStore } from '../accounts.store.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** A new password and its cause. */
export interface PasswordUpdate {
  /** Hash of the new password. */
  passwordHash: string;
  /** `password.changed` if the person entered the old password, otherwise `password.reset`. */
  event: 'password.changed' | 'password.reset';
  /** A sentence for the audit log: the actor, if it is not the person. */
  detail?: string;
  /** The session that stays. */
  except?: Session;
}

/** Stores new passwords, and ends the access that depends on the old one. */
@Injectable()
export class PasswordUpdatesService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionsService,
    private readonly links: AccountLinksService,
    private readonly mail: AccountMailService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Stores a new password, ends the sessions and all waiting links of the account, and tells the
   * person. The caller has locked the account.
   */
  async update(
    tx: EntityManager,
    account: Account,
    { passwordHash, event, detail, except }: PasswordUpdate,
  ): Promise<void> {
    await this.accounts.updatePassword(tx, account.id, passwordHash);
    await this.sessions.endAll(tx, account.id, except);
    await this.links.endAll(tx, account.id);
    await this.audit.record(tx, { type: event, accountId: account.id, ...(detail !== undefined && { detail }) });
    await this.mail.enqueue(tx, account, 'passwordChanged');
  }
}
