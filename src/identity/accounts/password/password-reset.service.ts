import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { lock } from '../../../platform/database/advisory-locks.js';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { getClientNetworkPrefix } from '../../../platform/http/client-address.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { createAccountNotFoundError } from '../account-errors.js';
import { AccountAppsRegistry } from '../account-apps.registry.js';
import { AccountMailService } from '../account-mail.service.js';
import type { Account } from '../account.entity.js';
import { AccountsStore } from '../accounts.store.js';
import type { EmailToken } from '../email-token.entity.js';
import { EmailTokensService } from '../email-tokens.service.js';
import { PasskeysService } from '../passkeys/passkeys.service.js';
import { PasskeysStore } from '../passkeys/passkeys.store.js';
import { hashPassword } from '../password-hashing.js';
import { KnownBrowsersService } from '../sign-in/known-browsers.service.js';
import { assertNewPassword } from './password-rules.js';
import { PasswordsService } from './passwords.service.js';
import { withConstantDuration } from './with-constant-duration.js';

/** Limits requested links per network. */
const LINK_REQUEST_POLICY: RateLimitPolicy = { name: 'reset-links', limit: 20, windowSeconds: 3600, isSecurity: true };

/** Lifetime of a link that is sent by e-mail: 30 minutes. */
const MAILED_LINK_LIFETIME_MS = 30 * 60_000;

/** Lifetime of a link that a command makes: 24 hours. */
const OPERATOR_LINK_LIFETIME_MS = 24 * 3600_000;

/** Input of the form that sets a new password. */
export interface PasswordReset {
  password: string;
  /** Whether the access of all apps ends too. */
  disconnectsApps: boolean;
  /** Whether all passkeys are removed. */
  removesPasskeys: boolean;
}

/** The account of a link, and what a thief may have added to it. */
export interface ResetTarget {
  username: string;
  appNames: string[];
  passkeyNames: string[];
  /** Whether the link proves for the first time that the address belongs to the person. */
  isFirstProof: boolean;
}

/** Resets forgotten passwords, by links in e-mails. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly tokens: EmailTokensService,
    private readonly passwords: PasswordsService,
    private readonly apps: AccountAppsRegistry,
    private readonly passkeys: PasskeysService,
    private readonly passkeysStore: PasskeysStore,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly mail: AccountMailService,
    private readonly rateLimiter: RateLimiterService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly settings: Settings,
  ) {}

  /**
   * Sends a link to the address of an account. For an unknown username or e-mail address, the
   * result and the time are the same.
   * @throws DomainError `too_many_link_requests` after too many requests from this network
   */
  async requestLink(usernameOrEmail: string): Promise<void> {
    const quota = { policy: LINK_REQUEST_POLICY, key: getClientNetworkPrefix() };
    const { isExceeded, headers } = await this.rateLimiter.consume(quota);
    if (isExceeded) {
      const message = 'This network requested too many links. Try again later.';
      throw new DomainError('rate_limited', 'too_many_link_requests', message, { rateLimitHeaders: headers });
    }
    await withConstantDuration(() => this.sendLink(usernameOrEmail));
  }

  /** Sends a link to the address of an account, if there is one with an address. */
  async sendLink(usernameOrEmail: string): Promise<void> {
    const found = await this.accounts.findByUsernameOrEmail(usernameOrEmail);
    if (!found) return;
    await this.transactions.run(async (tx) => {
      const account = await this.accounts.findForUpdate(tx, found.id);
      if (account.email === null) return;
      const { path, expiresAt: linkExpiresAt } = await this.createMailedLink(tx, account.id, account.email);
      await this.mail.enqueue(tx, account, 'resetPassword', { path, linkExpiresAt });
    });
  }

  /** Creates a link for the owner of the account's address. */
  createMailedLink(tx: EntityManager, accountId: string, email: string): Promise<{ path: string; expiresAt: Date }> {
    return this.createLink(tx, accountId, email, MAILED_LINK_LIFETIME_MS);
  }

  /** Returns a link for the operator to hand over. @throws DomainError not_found */
  async createLinkForOperator(usernameOrEmail: string): Promise<{ url: string; expiresAt: Date }> {
    const { id } = await this.accounts.getByUsernameOrEmail(usernameOrEmail);
    const { path, expiresAt } = await this.transactions.run(async (tx) => {
      const { deletedAt } = await this.accounts.findForUpdate(tx, id);
      if (deletedAt) throw createAccountNotFoundError(usernameOrEmail);
      await this.audit.record(tx, { type: 'password.link_created', accountId: id });
      return this.createLink(tx, id, null, OPERATOR_LINK_LIFETIME_MS);
    });
    return { url: this.settings.BASE_URL + path, expiresAt };
  }

  /** Returns the account of a link that still works. @throws InvalidLinkError */
  async findTarget(token: string): Promise<ResetTarget> {
    const link = await this.tokens.getWaiting('reset-password', token);
    const account = await this.accounts.get(link.accountId);
    return {
      username: account.username,
      appNames: await this.apps.listConnectedNames(account.id),
      passkeyNames: (await this.passkeysStore.list(account.id)).map(({ name }) => name),
      isFirstProof: isFirstProof(account, link),
    };
  }

  /**
   * Sets a new password, and ends the sessions and all other links of the account. The link is used
   * in the transaction of the change, so that it works once. If it is the first proof of the
   * address, another person may have created the account, so everything that this person added is
   * removed.
   * @throws InvalidLinkError
   * @throws InvalidFieldsError if the password is too short, too long or too easy
   */
  async reset(token: string, { password, disconnectsApps, removesPasskeys }: PasswordReset): Promise<Account> {
    const link = await this.tokens.getWaiting('reset-password', token);
    await assertNewPassword(password, await this.accounts.get(link.accountId));
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      await lock(tx, 'appsOfOwner', link.accountId);
      const account = await this.accounts.findForUpdate(tx, link.accountId);
      await this.tokens.use(tx, link);
      await this.passwords.replace(tx, account, { passwordHash, event: 'password.reset' });
      const isFirst = isFirstProof(account, link);
      if (isFirst || disconnectsApps) await this.disconnectApps(tx, account);
      if (isFirst || removesPasskeys) await this.passkeys.removeAll(tx, account.id);
      if (isFirst) {
        await this.accounts.endAccess(tx, account.id);
        await this.apps.disableOwned(tx, account.id);
        await this.knownBrowsers.deleteAll(tx, account.id);
        await this.verifyEmail(tx, account, link.email!);
      }
      return account;
    });
  }

  private async disconnectApps(tx: EntityManager, { id }: Account): Promise<void> {
    await this.apps.removeAllAccess(tx, id, 'The person reset the password and disconnected all apps.');
  }

  private async createLink(
    tx: EntityManager,
    accountId: string,
    email: string | null,
    lifetimeMs: number,
  ): Promise<{ path: string; expiresAt: Date }> {
    const link = { purpose: 'reset-password', accountId, email, lifetimeMs } as const;
    const { token, expiresAt } = await this.tokens.create(tx, link);
    return { path: `/reset-password?token=${token}`, expiresAt };
  }

  private async verifyEmail(tx: EntityManager, { id }: Account, email: string): Promise<void> {
    await this.accounts.updateVerifiedEmail(tx, id, email);
    await this.audit.record(tx, { type: 'email.verified', accountId: id });
  }
}

/** A link that arrived by e-mail proves that the address belongs to the person. */
function isFirstProof({ emailVerifiedAt, email }: Account, link: EmailToken): boolean {
  return emailVerifiedAt === null && email !== null && link.email === email;
}
