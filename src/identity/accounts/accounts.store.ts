import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { lockRow } from '../../platform/database/lock-row.js';
import { type FieldError, FormValidationError } from '../../platform/i18n/form-validation-error.js';
import { Account } from './account.entity.js';
import { AccountNotFoundError } from './account-errors.js';
import { normalizeLogin } from './normalize-login.js';

/** Reads and writes accounts. */
@Injectable()
export class AccountsStore {
  constructor(@InjectRepository(Account) private readonly accounts: Repository<Account>) {}

  /** Returns the account with this username or e-mail address, or null. */
  async findByLogin(login: string): Promise<Account | null> {
    if (login.includes('\0')) return null;
    return this.accounts.findOneBy([
      { normalizedUsername: normalizeLogin(login) },
      { normalizedEmail: normalizeLogin(login) },
    ]);
  }

  /**
   * Returns the account with this username or e-mail address.
   * @throws AccountNotFoundError
   */
  async getByLogin(login: string): Promise<Account> {
    const account = await this.findByLogin(login);
    if (!account) throw new AccountNotFoundError(login);
    return account;
  }

  /**
   * Returns the account with an id from a row or an access token.
   * @throws EntityNotFoundError
   */
  async get(id: string): Promise<Account> {
    return this.accounts.findOneByOrFail({ id });
  }

  /** Like `get`, and locks the row until the transaction ends, so that a concurrent block waits. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Account> {
    return (await lockRow(tx, Account, { where: { id } }))!;
  }

  /** Returns all accounts, the oldest first. */
  async list(): Promise<Account[]> {
    return this.accounts.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Whether there is no account. */
  async isEmpty(tx: EntityManager = this.accounts.manager): Promise<boolean> {
    return !(await tx.exists(Account));
  }

  /**
   * Checks that no account has the username or e-mail address.
   * @throws FormValidationError if one of them is taken
   */
  async assertAvailable(
    { username, email }: Pick<Account, 'username' | 'email'>,
    tx: EntityManager = this.accounts.manager,
  ): Promise<void> {
    const [normalizedUsername, normalizedEmail] = [normalizeLogin(username), normalizeLogin(email)];
    const errors: FieldError[] = [];
    if (await tx.existsBy(Account, { normalizedUsername })) errors.push({ field: 'username', code: 'usernameTaken' });
    if (await tx.existsBy(Account, { normalizedEmail })) errors.push({ field: 'email', code: 'emailTaken' });
    if (errors.length > 0) throw new FormValidationError(errors);
  }

  /**
   * Inserts an account.
   * @throws FormValidationError if the username or e-mail address is taken
   */
  async insert(tx: EntityManager, account: Account): Promise<Account> {
    await this.assertAvailable(account, tx);
    await tx.insert(Account, account);
    return account;
  }

  /** Returns the account with this e-mail address, or null. */
  async findByEmail(tx: EntityManager, email: string): Promise<Account | null> {
    return tx.findOneBy(Account, { normalizedEmail: normalizeLogin(email) });
  }

  /** Stores the hash of a new password. */
  async updatePassword(tx: EntityManager, id: string, passwordHash: string): Promise<void> {
    await tx.update(Account, { id }, { passwordHash, updatedAt: new Date() });
  }

  /** Stores an e-mail address that the person confirmed. The caller checked that it is free. */
  async updateVerifiedEmail(tx: EntityManager, id: string, email: string): Promise<void> {
    const now = new Date();
    const normalizedEmail = normalizeLogin(email);
    await tx.update(Account, { id }, { email, normalizedEmail, emailVerifiedAt: now, updatedAt: now });
  }

  /** Blocks or unblocks an account. */
  async updateBlock(tx: EntityManager, id: string, block: Pick<Account, 'blockedAt' | 'blockedReason'>): Promise<void> {
    await tx.update(Account, { id }, { ...block, updatedAt: new Date() });
  }
}
