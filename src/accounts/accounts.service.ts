import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { holdRow } from '../database/hold-row.js';
import { newId } from '../database/ids.js';
import { Transactions } from '../database/transactions.js';
import { isName } from '../http/text.js';
import { Account, EVERYWHERE, type Role, ROLES } from './account.entity.js';
import { hashPassword } from './passwords.js';

/** What a new account is made of. */
export interface NewAccount {
  username: string;
  email: string;
  name: string;
  password: string;
  role?: Role;
  /** Ids of regions; a role that names none holds everywhere. */
  regions?: string[];
}

/** An account that cannot be made or found as asked: a sentence that says why. */
export class AccountError extends Error {
  override readonly name = 'AccountError';
}

const key = (text: string): string => text.normalize('NFKC').toLowerCase();

@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
  ) {}

  /** @throws AccountError where something is not well-formed, or the username or e-mail address is taken */
  async create(given: NewAccount): Promise<Account> {
    const account = await this.prepare(given);
    return this.transactions.runAlone(async (tx) => this.insert(tx, account));
  }

  /** Checks a new account and hashes its password, so that `insert` has only to write it. */
  async prepare({ username, email, name, password, role = 'member', regions }: NewAccount): Promise<Account> {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$/.test(username)) {
      throw new AccountError(
        'A username takes 1 to 39 letters, digits, dots, hyphens or underscores, a letter or digit first.',
      );
    }
    if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) || email.length > 254)
      throw new AccountError('That is not an e-mail address.');
    if (!isName(name)) throw new AccountError('A name takes 1 to 100 characters that can be shown.');
    if (!password || password.length > 1000) throw new AccountError('A password takes 1 to 1000 characters.');
    if (!ROLES.includes(role)) throw new AccountError(`A role is one of ${ROLES.join(', ')}.`);
    const now = new Date();
    return {
      id: newId('usr'),
      username,
      usernameKey: key(username),
      email,
      emailKey: key(email),
      name: name.trim(),
      passwordHash: await hashPassword(password),
      role,
      regions: regions?.length ? regions : role === 'member' ? [] : [EVERYWHERE],
      createdAt: now,
      updatedAt: now,
      blockedAt: null,
      blockedReason: null,
    };
  }

  /** Stores a prepared account. */
  async insert(tx: EntityManager, account: Account): Promise<Account> {
    if (await tx.existsBy(Account, { usernameKey: account.usernameKey })) {
      throw new AccountError(`The username ${account.username} is taken.`);
    }
    if (await tx.existsBy(Account, { emailKey: account.emailKey })) {
      throw new AccountError(`There is an account with the e-mail address ${account.email} already.`);
    }
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
    const account = await this.accounts.findOneBy([{ usernameKey: key(name) }, { emailKey: key(name) }]);
    if (!account) throw new AccountError(`There is no account ${name}.`);
    return account;
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
