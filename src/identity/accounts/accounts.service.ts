import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { lockRow } from '../../platform/database/lock-row.js';
import { generateId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { isHttpsUrl, isName } from '../../platform/validation/text.decorator.js';
import { type FieldError, FormValidationError } from '../../platform/validation/form-validation-error.js';
import { Account, ALL_REGIONS, type Role, ROLES } from './account.entity.js';
import { hashPassword } from './password-hashing.js';

/** What a new account is made of. */
export interface NewAccount {
  username: string;
  email: string;
  name: string;
  password: string;
  /** Address of a picture of them. */
  picture?: string | null;
  /** Whether somebody saw that the e-mail address is theirs. */
  emailVerified?: boolean;
  role?: Role;
  /** Ids of regions; a role that names none holds everywhere. */
  regions?: string[];
}

/** An account that cannot be found or changed as asked: a sentence that says why. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}

/** A username or e-mail address as it is compared. */
export const normalizeLogin = (text: string): string => text.normalize('NFKC').toLowerCase();

@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
  ) {}

  /**
   * @param found what is wrong beside what is always wrong
   * @throws Problems where something is not well-formed, or the username or e-mail address is taken
   */
  async create(given: NewAccount, found: FieldError[] = []): Promise<Account> {
    const account = await this.prepare(given, found);
    return this.transactions.runExclusive(async (tx) => this.insert(tx, account));
  }

  /** Checks a new account and hashes its password, so that `insert` has only to write it. @throws Problems, AccountError */
  async prepare(given: NewAccount, found: FieldError[] = []): Promise<Account> {
    const { username, email, name, password, picture, emailVerified = false, role = 'member', regions } = given;
    const problems = [...validateNewAccount(given), ...found];
    if (problems.length > 0) throw new FormValidationError(problems);
    if (!ROLES.includes(role)) throw new AccountError(`A role is one of ${ROLES.join(', ')}.`);
    const now = new Date();
    return {
      id: generateId('usr'),
      username,
      normalizedUsername: normalizeLogin(username),
      email,
      normalizedEmail: normalizeLogin(email),
      emailVerifiedAt: emailVerified ? now : null,
      name: name.trim(),
      picture: picture ?? null,
      passwordHash: await hashPassword(password),
      role,
      regions: regions?.length ? regions : role === 'member' ? [] : [ALL_REGIONS],
      createdAt: now,
      updatedAt: now,
      blockedAt: null,
      blockedReason: null,
    };
  }

  /** Stores a prepared account. @throws Problems where the username or e-mail address is taken */
  async insert(tx: EntityManager, account: Account): Promise<Account> {
    const problems: FieldError[] = [];
    if (await tx.existsBy(Account, { normalizedUsername: account.normalizedUsername }))
      problems.push({ field: 'username', code: 'usernameTaken' });
    if (await tx.existsBy(Account, { normalizedEmail: account.normalizedEmail }))
      problems.push({ field: 'email', code: 'emailTaken' });
    if (problems.length > 0) throw new FormValidationError(problems);
    await tx.insert(Account, account);
    return account;
  }

  /** From now on the person's apps get no new tokens, and what still has an access token can only read. */
  async block(username: string, reason: string): Promise<Account> {
    if (!reason.trim()) throw new AccountError('A block needs a reason, which the person is told.');
    return this.setBlock(username, { blockedAt: new Date(), blockedReason: reason });
  }

  async unblock(username: string): Promise<Account> {
    return this.setBlock(username, { blockedAt: null, blockedReason: null });
  }

  /** The account of this username or e-mail address. @throws AccountError where there is none */
  async getByLogin(name: string): Promise<Account> {
    const account = await this.findByLogin(name);
    if (!account) throw new AccountError(`There is no account ${name}.`);
    return account;
  }

  /** The account of this username or e-mail address, if there is one. */
  async findByLogin(name: string): Promise<Account | null> {
    if (name.includes('\0')) return null;
    return this.accounts.findOneBy([
      { normalizedUsername: normalizeLogin(name) },
      { normalizedEmail: normalizeLogin(name) },
    ]);
  }

  /** The account of an id that one of our own rows or tokens names. */
  async get(id: string): Promise<Account> {
    return this.accounts.findOneByOrFail({ id });
  }

  /** As `get`, held until the transaction ends: a block waits for what was begun before it. */
  async findForUpdate(tx: EntityManager, id: string): Promise<Account> {
    return (await lockRow(tx, Account, { where: { id } }))!;
  }

  async list(): Promise<Account[]> {
    return this.accounts.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Whether nobody has an account yet. */
  async isEmpty(tx: EntityManager = this.accounts.manager): Promise<boolean> {
    return !(await tx.exists(Account));
  }

  private async setBlock(username: string, block: Pick<Account, 'blockedAt' | 'blockedReason'>): Promise<Account> {
    const account = await this.getByLogin(username);
    await this.transactions.run(async (tx) => {
      await tx.update(Account, { id: account.id }, { ...block, updatedAt: new Date() });
      await this.audit.record(tx, {
        type: block.blockedAt ? 'account.blocked' : 'account.unblocked',
        accountId: account.id,
        detail: block.blockedReason,
      });
    });
    return { ...account, ...block };
  }
}

function validateNewAccount({ username, email, name, password, picture }: NewAccount): FieldError[] {
  const problems: FieldError[] = [];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$/.test(username))
    problems.push({ field: 'username', code: 'usernameInvalid' });
  if (!isName(name)) problems.push({ field: 'name', code: 'nameInvalid' });
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) || normalizeLogin(email).length > 254)
    problems.push({ field: 'email', code: 'emailInvalid' });
  if (password.length === 0) problems.push({ field: 'password', code: 'passwordMissing' });
  if (password.length > 1000) problems.push({ field: 'password', code: 'passwordTooLong' });
  if (picture != null && !isHttpsUrl(picture)) problems.push({ field: 'picture', code: 'pictureInvalid' });
  return problems;
}
