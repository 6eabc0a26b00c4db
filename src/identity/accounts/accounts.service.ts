import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { createUsageError } from '../../platform/errors/domain-error.js';
import type { FieldError } from '../../platform/i18n/invalid-fields-error.js';
import { AccountMailService } from './account-mail.service.js';
import { type Account, type AccountBlock, type AccountWithEmail, NO_BLOCK, type Role } from './account.entity.js';
import { createAccountNotFoundError } from './account-errors.js';
import { AccountsStore } from './accounts.store.js';
import { assertRegionsOfRole, assertValidNewAccount, buildAccount, type NewAccount } from './new-account.js';

/**
 * Work in the transaction of a block, after the account was locked and before it is blocked.
 * @returns a sentence for the audit log, or null
 */
type BlockEffect = (tx: EntityManager, account: Account) => Promise<string | null>;

/** Creates, blocks and unblocks accounts, and changes their roles. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly mail: AccountMailService,
  ) {}

  /**
   * Creates an account. A name that is taken is rejected before the password is hashed.
   * @param additionalErrors errors of the calling form, reported together with the errors found
   * here
   * @param afterInsert runs in the transaction of the insertion
   * @throws InvalidFieldsError if a field is invalid, or the username or e-mail address is taken
   * @throws DomainError invalid if the role is unknown, or the regions do not fit the role
   */
  async create(
    newAccount: NewAccount,
    additionalErrors: readonly FieldError[] = [],
    afterInsert?: (tx: EntityManager, account: AccountWithEmail) => Promise<void>,
  ): Promise<AccountWithEmail> {
    assertValidNewAccount(newAccount, additionalErrors);
    await this.accounts.assertAvailable(newAccount);
    const account = await buildAccount(newAccount);
    return this.transactions.run(async (tx) => {
      await this.accounts.insert(tx, account);
      await afterInsert?.(tx, account);
      return account;
    });
  }

  /**
   * Blocks an account: its apps get no new tokens, and existing access tokens can only read. The
   * person gets an e-mail.
   * @param reason shown to the person
   * @param until when the block ends by itself; null if the operator must end it
   * @throws DomainError not_found; invalid if the reason is empty, or the end has passed
   */
  async block(
    usernameOrEmail: string,
    reason: string,
    until: Date | null = null,
    effect?: BlockEffect,
  ): Promise<Account> {
    assertValidBlock(reason, until);
    const block = { blockedAt: new Date(), blockedReason: reason, blockedUntil: until };
    return this.setBlock(usernameOrEmail, block, effect);
  }

  /** Ends a block. @throws DomainError not_found */
  async unblock(usernameOrEmail: string): Promise<Account> {
    return this.setBlock(usernameOrEmail, NO_BLOCK);
  }

  /**
   * Changes the role of an account.
   * @param regions ids of the regions in which the role is valid, or `*`
   * @throws DomainError not_found; invalid if the regions do not fit the role
   */
  async setRole(usernameOrEmail: string, role: Role, regions: string[]): Promise<Account> {
    assertRegionsOfRole(role, regions);
    const account = await this.accounts.getByUsernameOrEmail(usernameOrEmail);
    await this.transactions.run(async (tx) => {
      await this.lockExisting(tx, account.id, usernameOrEmail);
      await this.accounts.updateRole(tx, account.id, { role, regions });
      const detail = regions.length > 0 ? `${role} (${regions.join(', ')})` : role;
      await this.audit.record(tx, { type: 'account.role_changed', accountId: account.id, detail });
    });
    return { ...account, role, regions };
  }

  private async setBlock(usernameOrEmail: string, block: AccountBlock, effect?: BlockEffect): Promise<Account> {
    const account = await this.accounts.getByUsernameOrEmail(usernameOrEmail);
    await this.transactions.run(async (tx) => {
      const locked = await this.lockExisting(tx, account.id, usernameOrEmail);
      const sentence = await effect?.(tx, locked);
      await this.accounts.updateBlock(tx, account.id, block);
      await this.audit.record(tx, {
        type: block.blockedAt ? 'account.blocked' : 'account.unblocked',
        accountId: account.id,
        detail: [describeBlock(block), sentence].filter(Boolean).join(' ') || null,
        // The person reads the event, and a moderator can have caused it.
        ipAddress: null,
      });
      if (!block.blockedAt) return;
      const values = { reason: block.blockedReason ?? '', time: block.blockedUntil?.toISOString() ?? '' };
      await this.mail.enqueue(tx, account, 'accountBlocked', { values });
    });
    return { ...account, ...block };
  }

  /** Locks the account. @throws DomainError not_found if it was deleted since it was found */
  private async lockExisting(tx: EntityManager, id: string, usernameOrEmail: string): Promise<Account> {
    const account = await this.accounts.findForUpdate(tx, id);
    if (account.deletedAt) throw createAccountNotFoundError(usernameOrEmail);
    return account;
  }
}

/** @throws DomainError invalid if the reason is empty, or the end has passed */
export function assertValidBlock(reason: string, until: Date | null): void {
  if (!reason.trim()) throw createUsageError('--reason must not be empty: the person sees it.');
  if (until && until <= new Date()) throw createUsageError('--until must be in the future.');
}

/** Returns the reason of a block, and its end if it has one. */
function describeBlock({ blockedReason, blockedUntil }: AccountBlock): string | null {
  return blockedUntil ? `${blockedReason} (until ${blockedUntil.toISOString()})` : blockedReason;
}
