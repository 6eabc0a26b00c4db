import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { holdRow } from '../database/hold-row.js';
import { newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { isHttpsAddress, isName } from '../http/text.js';
import { type Problem, Problems } from '../words/problems.js';
import { Account, EVERYWHERE, type Role, ROLES } from './account.entity.js';
import { hashPassword } from './passwords.js';

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
export const accountKey = (text: string): string => text.normalize('NFKC').toLowerCase();

@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /**
   * @param found what is wrong beside what is always wrong
   * @throws Problems where something is not well-formed, or the username or e-mail address is taken
   */
  async create(given: NewAccount, found: Problem[] = []): Promise<Account> {
    const account = await this.prepare(given, found);
    return this.transactions.runAlone(async (tx) => this.insert(tx, account));
  }

  /** Checks a new account and hashes its password, so that `insert` has only to write it. @throws Problems, AccountError */
  async prepare(given: NewAccount, found: Problem[] = []): Promise<Account> {
    const { username, email, name, password, picture, emailVerified = false, role = 'member', regions } = given;
    const problems = [...problemsOf(given), ...found];
    if (problems.length > 0) throw new Problems(problems);
    if (!ROLES.includes(role)) throw new AccountError(`A role is one of ${ROLES.join(', ')}.`);
    const now = new Date();
    return {
      id: newId('usr'),
      username,
      usernameKey: accountKey(username),
      email,
      emailKey: accountKey(email),
      emailVerifiedAt: emailVerified ? now : null,
      name: name.trim(),
      picture: picture ?? null,
      passwordHash: await hashPassword(password),
      role,
      regions: regions?.length ? regions : role === 'member' ? [] : [EVERYWHERE],
      createdAt: now,
      updatedAt: now,
      blockedAt: null,
      blockedReason: null,
    };
  }

  /** Stores a prepared account. @throws Problems where the username or e-mail address is taken */
  async insert(tx: EntityManager, account: Account): Promise<Account> {
    const problems: Problem[] = [];
    if (await tx.existsBy(Account, { usernameKey: account.usernameKey }))
      problems.push({ field: 'username', code: 'usernameTaken' });
    if (await tx.existsBy(Account, { emailKey: account.emailKey }))
      problems.push({ field: 'email', code: 'emailTaken' });
    if (problems.length > 0) throw new Problems(problems);
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
  async named(name: string): Promise<Account> {
    const account = await this.find(name);
    if (!account) throw new AccountError(`There is no account ${name}.`);
    return account;
  }

  /** The account of this username or e-mail address, if there is one. */
  async find(name: string): Promise<Account | null> {
    if (name.includes('\0')) return null;
    return this.accounts.findOneBy([{ usernameKey: accountKey(name) }, { emailKey: accountKey(name) }]);
  }

  /** The account of an id that one of our own rows or tokens names. */
  async get(id: string): Promise<Account> {
    return this.accounts.findOneByOrFail({ id });
  }

  /** As `get`, held until the transaction ends: a block waits for what was begun before it. */
  async hold(tx: EntityManager, id: string): Promise<Account> {
    return (await holdRow(tx, Account, { where: { id } }))!;
  }

  async list(): Promise<Account[]> {
    return this.accounts.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Whether nobody has an account yet. */
  async isEmpty(tx: EntityManager = this.accounts.manager): Promise<boolean> {
    return !(await tx.exists(Account));
  }

  private async setBlock(username: string, block: Pick<Account, 'blockedAt' | 'blockedReason'>): Promise<Account> {
    const account = await this.named(username);
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

function problemsOf({ username, email, name, password, picture }: NewAccount): Problem[] {
  const problems: Problem[] = [];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$/.test(username))
    problems.push({ field: 'username', code: 'usernameInvalid' });
  if (!isName(name)) problems.push({ field: 'name', code: 'nameInvalid' });
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) || accountKey(email).length > 254)
    problems.push({ field: 'email', code: 'emailInvalid' });
  if (password.length === 0) problems.push({ field: 'password', code: 'passwordMissing' });
  if (password.length > 1000) problems.push({ field: 'password', code: 'passwordLong' });
  if (picture != null && !isHttpsAddress(picture)) problems.push({ field: 'picture', code: 'pictureInvalid' });
  return problems;
}
