import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { lock } from '../../platform/database/advisory-locks.js';
import { lockRow } from '../../platform/database/lock-row.js';
import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { hasEndedAccess } from '../scopes/ended-callers.registry.js';
import { ReservedIdentitiesService } from './deletion/reserved-identities.service.js';
import { Account, type AccountBlock, type AccountWithEmail, normalizeUsernameOrEmail } from './account.entity.js';
import { createAccountNotFoundError } from './account-errors.js';
import { DUMMY_PASSWORD_HASH } from './password-hashing.js';

/** The account of an access token, and when the token was issued. */
type AccountCaller = Pick<Caller, 'accountId' | 'issuedAtMs'>;

/** Reads and writes accounts. */
@Injectable()
export class AccountsStore {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly reservedIdentities: ReservedIdentitiesService,
  ) {}

  /**
   * Returns the account with this username or e-mail address, or null. No deleted account has one.
   */
  async findByUsernameOrEmail(usernameOrEmail: string): Promise<Account | null> {
    if (usernameOrEmail.includes('\0')) return null;
    return this.accounts.findOneBy([
      { normalizedUsername: normalizeUsernameOrEmail(usernameOrEmail), deletedAt: IsNull() },
      { normalizedEmail: normalizeUsernameOrEmail(usernameOrEmail), deletedAt: IsNull() },
    ]);
  }

  /**
   * Returns the account with this username or e-mail address.
   * @throws DomainError not_found
   */
  async getByUsernameOrEmail(usernameOrEmail: string): Promise<Account> {
    const account = await this.findByUsernameOrEmail(usernameOrEmail);
    if (!account) throw createAccountNotFoundError(usernameOrEmail);
    return account;
  }

  /**
   * Returns the account with an id from a row or an access token.
   * @throws EntityNotFoundError
   */
  async get(id: string): Promise<Account> {
    return this.accounts.findOneByOrFail({ id });
  }

  /** Returns accounts by id. */
  async findByIds(ids: string[]): Promise<Map<string, Account>> {
    if (ids.length === 0) return new Map();
    const accounts = await this.accounts.findBy({ id: In(ids) });
    return new Map(accounts.map((account) => [account.id, account]));
  }

  /** Like `get`, and locks the row until the transaction ends, so that a concurrent block waits. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Account> {
    return (await lockRow(tx, Account, { where: { id } }))!;
  }

  /**
   * Returns the account of an access token.
   * @throws DomainError `token_invalid` if the account was deleted or its access ended
   */
  async getCaller(caller: AccountCaller): Promise<Account> {
    return assertHasAccess(await this.get(caller.accountId), caller);
  }

  /** Like `getCaller`, and locks the row until the transaction ends. */
  async findCallerForUpdate(tx: EntityManager, caller: AccountCaller): Promise<Account> {
    return assertHasAccess(await this.findForUpdate(tx, caller.accountId), caller);
  }

  /** Returns all accounts except deleted ones, the oldest first. */
  async list(): Promise<Account[]> {
    return this.accounts.find({ where: { deletedAt: IsNull() }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Whether there is no account. */
  async isEmpty(tx: EntityManager = this.accounts.manager): Promise<boolean> {
    return !(await tx.exists(Account));
  }

  /**
   * Checks that no account has the username or e-mail address, and that it is not reserved.
   * @throws InvalidFieldsError if one of them is taken
   */
  async assertAvailable(
    { username, email }: Pick<AccountWithEmail, 'username' | 'email'>,
    tx: EntityManager = this.accounts.manager,
  ): Promise<void> {
    const [normalizedUsername, normalizedEmail] = [normalizeUsernameOrEmail(username), normalizeUsernameOrEmail(email)];
    const errors: FieldError[] = [];
    if (
      (await tx.existsBy(Account, { normalizedUsername })) ||
      (await this.reservedIdentities.isReserved(tx, normalizedUsername))
    ) {
      errors.push({ field: 'username', code: 'usernameTaken' });
    }
    if (
      (await tx.existsBy(Account, { normalizedEmail })) ||
      (await this.reservedIdentities.isReserved(tx, normalizedEmail))
    ) {
      errors.push({ field: 'email', code: 'emailTaken' });
    }
    if (errors.length > 0) throw new InvalidFieldsError(errors);
  }

  /**
   * Inserts an account.
   * @throws InvalidFieldsError if the username or e-mail address is taken
   */
  async insert(tx: EntityManager, account: AccountWithEmail): Promise<AccountWithEmail> {
    await this.lockUsernamesAndEmails(tx, account.username, account.email);
    await this.assertAvailable(account, tx);
    await tx.insert(Account, account);
    return account;
  }

  /**
   * Waits for other transactions that assign or release one of these usernames and e-mail
   * addresses.
   */
  async lockUsernamesAndEmails(tx: EntityManager, ...usernamesAndEmails: string[]): Promise<void> {
    await lock(tx, 'logins', ...usernamesAndEmails.map(normalizeUsernameOrEmail));
  }

  /** Whether an account has this e-mail address, or it is reserved. */
  async isEmailTaken(tx: EntityManager, email: string): Promise<boolean> {
    return (
      (await this.findByEmail(tx, email)) !== null ||
      this.reservedIdentities.isReserved(tx, normalizeUsernameOrEmail(email))
    );
  }

  /** Returns the account with this e-mail address, or null. */
  async findByEmail(tx: EntityManager, email: string): Promise<Account | null> {
    return tx.findOneBy(Account, { normalizedEmail: normalizeUsernameOrEmail(email) });
  }

  /** Stores the hash of a new password. */
  async updatePassword(tx: EntityManager, id: string, passwordHash: string): Promise<void> {
    const now = new Date();
    await tx.update(Account, { id }, { passwordHash, passwordChangedAt: now, updatedAt: now });
  }

  /** Stores an e-mail address that the person confirmed. The caller checked that it is free. */
  async updateVerifiedEmail(tx: EntityManager, id: string, email: string): Promise<void> {
    const now = new Date();
    const normalizedEmail = normalizeUsernameOrEmail(email);
    await tx.update(Account, { id }, { email, normalizedEmail, emailVerifiedAt: now, updatedAt: now });
  }

  /** Removes the only e-mail address of an account, so that its owner can use it. */
  async removeEmail(tx: EntityManager, id: string): Promise<void> {
    await tx.update(Account, { id }, { email: null, normalizedEmail: null, updatedAt: new Date() });
  }

  /** Changes what other people and apps see of a person, and the language. */
  async updateProfile(
    tx: EntityManager,
    id: string,
    profile: Partial<Pick<Account, 'name' | 'language' | 'picture' | 'wantsDecisionMail'>>,
  ): Promise<void> {
    await tx.update(Account, { id }, { ...profile, updatedAt: new Date() });
  }

  async updateDecisionsToldAt(tx: EntityManager, id: string, decisionsToldAt: Date): Promise<void> {
    await tx.update(Account, { id }, { decisionsToldAt });
  }

  async updateBlock(tx: EntityManager, id: string, block: AccountBlock): Promise<void> {
    await tx.update(Account, { id }, { ...block, updatedAt: new Date() });
  }

  /** Changes the role of an account and the regions in which it is valid. */
  async updateRole(tx: EntityManager, id: string, role: Pick<Account, 'role' | 'regions'>): Promise<void> {
    await tx.update(Account, { id }, { ...role, updatedAt: new Date() });
  }

  /** Makes all access tokens for the account invalid. */
  async endAccess(tx: EntityManager, id: string): Promise<void> {
    await tx.update(Account, { id }, { accessRemovedAt: new Date() });
  }

  /** Removes everything that identifies the person from an account. */
  async markDeleted(tx: EntityManager, id: string): Promise<void> {
    await tx.update(Account, { id }, buildDeletedAccount(id, new Date()));
  }
}

function assertHasAccess(account: Account, caller: AccountCaller): Account {
  if (!hasEndedAccess(account, caller)) return account;
  const message = 'The access token is not valid. Send the access_token of the latest token response, unchanged.';
  throw new DomainError('unauthenticated', 'token_invalid', message);
}

/**
 * Returns the columns of a deleted account: nothing that identifies the person. The placeholder of
 * the username and e-mail address contains a colon, so that no person can choose it. The account is
 * also blocked, so that every check of a block rejects it.
 */
function buildDeletedAccount(id: string, now: Date): Omit<Account, 'id' | 'createdAt'> {
  const placeholder = `deleted:${id}`;
  return {
    username: placeholder,
    normalizedUsername: placeholder,
    email: placeholder,
    normalizedEmail: placeholder,
    emailVerifiedAt: null,
    name: '',
    picture: null,
    language: null,
    wantsDecisionMail: false,
    decisionsToldAt: null,
    passwordHash: DUMMY_PASSWORD_HASH,
    passwordChangedAt: now,
    termsAgreedAt: null,
    role: 'member',
    regions: [],
    updatedAt: now,
    blockedAt: now,
    blockedReason: null,
    blockedUntil: null,
    accessRemovedAt: now,
    deletedAt: now,
  };
}
