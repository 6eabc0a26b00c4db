import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type EntityManager,
  type FindOptionsWhere,
  IsNull,
  MoreThan,
  MoreThanOrEqual,
  Not,
  type Repository,
} from 'typeorm';
import { computeDigest, generateSecret, isWellFormedSecret } from '../../platform/crypto/opaque-secret.js';
import { normalizeUsernameOrEmail } from './account.entity.js';
import { EmailToken, type EmailTokenPurpose } from './email-token.entity.js';

/** Input for a new link. */
export interface NewEmailToken {
  purpose: EmailTokenPurpose;
  accountId: string;
  /** The address that the link is sent to; null if a command makes the link. */
  email: string | null;
  lifetimeMs: number;
}

/** Creates links that change an account once, and ends them. */
@Injectable()
export class EmailTokensService {
  constructor(@InjectRepository(EmailToken) private readonly links: Repository<EmailToken>) {}

  /** Stores a new link. @returns its secret, which is not stored */
  async create(tx: EntityManager, { lifetimeMs, ...link }: NewEmailToken): Promise<{ token: string; expiresAt: Date }> {
    const token = generateSecret('sam_link');
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
    await tx.insert(EmailToken, { ...link, digest: computeDigest(token), createdAt, expiresAt, usedAt: null });
    return { token, expiresAt };
  }

  /** Returns the link with a secret, if it can still be used. @throws InvalidLinkError */
  async getWaiting(purpose: EmailTokenPurpose, token: string): Promise<EmailToken> {
    if (!isWellFormedSecret('sam_link', token)) throw new InvalidLinkError('unknown');
    const link = await this.links.findOneBy({ digest: computeDigest(token), purpose });
    if (!link) throw new InvalidLinkError('unknown');
    if (link.usedAt || link.expiresAt.getTime() <= Date.now()) throw new InvalidLinkError('ended');
    return link;
  }

  /**
   * Marks a link as used, in the transaction of its change. The caller has locked the account. Of
   * concurrent requests with one link, exactly one succeeds.
   * @throws InvalidLinkError
   */
  async use(tx: EntityManager, { digest }: EmailToken): Promise<void> {
    const now = new Date();
    const waiting = { digest, usedAt: IsNull(), expiresAt: MoreThan(now) };
    const { affected } = await tx.update(EmailToken, waiting, { usedAt: now });
    if (affected !== 1) throw new InvalidLinkError('ended');
  }

  /**
   * Ends the waiting links of an account, or those that match. It spares the links that take an
   * address back: a thief of the account must not end them.
   */
  async endAll(
    tx: EntityManager,
    accountId: string,
    match: Pick<FindOptionsWhere<EmailToken>, 'purpose' | 'email'> = {},
  ): Promise<void> {
    const waiting = { purpose: Not('take-back-email' as const), ...match, accountId, usedAt: IsNull() };
    await tx.update(EmailToken, waiting, { usedAt: new Date() });
  }

  /**
   * Ends the links that take an address back, and those that the account got later for other
   * addresses. The caller knows that the owner of the address has the account.
   * @returns whether the account had the address in the last 7 days
   */
  async endTakeBacks(tx: EntityManager, accountId: string, email: string): Promise<boolean> {
    const now = new Date();
    const where = { accountId, purpose: 'take-back-email', expiresAt: MoreThan(now) } as const;
    const links = await tx.find(EmailToken, { where, order: { createdAt: 'ASC' } });
    const normalizedEmail = normalizeUsernameOrEmail(email);
    const first = links.find((link) => normalizeUsernameOrEmail(link.email!) === normalizedEmail);
    if (!first) return false;
    const ended = { ...where, usedAt: IsNull(), createdAt: MoreThanOrEqual(first.createdAt) };
    await tx.update(EmailToken, ended, { usedAt: now });
    return true;
  }

  /** Returns the links of an account, the oldest first. */
  async list(accountId: string): Promise<EmailToken[]> {
    return this.links.find({ where: { accountId }, order: { createdAt: 'ASC' } });
  }

  /** Deletes the links of an account that is deleted, because they contain e-mail addresses. */
  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(EmailToken, { accountId });
  }
}
/** A link that cannot be used. */
export class InvalidLinkError extends Error {
  override readonly name = 'InvalidLinkError';

  /** @param reason `unknown` if no such link was made; `ended` if it was used or has expired */
  constructor(readonly reason: 'unknown' | 'ended') {
    super(`The link is ${reason}.`);
  }
}
