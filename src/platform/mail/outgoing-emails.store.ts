import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, LessThanOrEqual, MoreThan, Not, type Repository } from 'typeorm';
import { lock } from '../database/advisory-locks.js';
import { TransactionService } from '../database/transaction.service.js';
import { OutgoingEmail } from './outgoing-email.entity.js';

const HOUR_MS = 3600_000;

/** A message that this process attempts to deliver until its lease expires. */
export type ClaimedEmail = OutgoingEmail & { dueAt: Date; message: string };

/** The fields of a new message. */
type NewEmail = Pick<OutgoingEmail, 'id' | 'accountId' | 'recipientDigest' | 'kind' | 'linkExpiresAt'> & {
  message: string;
};

/** Reads and writes the messages of the outbox. */
@Injectable()
export class OutgoingEmailsStore {
  constructor(
    @InjectRepository(OutgoingEmail) private readonly emails: Repository<OutgoingEmail>,
    private readonly transactions: TransactionService,
  ) {}

  /** Adds a message that is due now. */
  async insert(tx: EntityManager, email: NewEmail): Promise<void> {
    const now = new Date();
    const state = { createdAt: now, dueAt: now, attempts: 0, sentAt: null, lastError: null };
    await tx.insert(OutgoingEmail, { ...email, ...state });
  }

  /** Lets the links in the waiting messages of an account expire, so that these are not sent. */
  async expireLinks(tx: EntityManager, accountId: string, kind: string): Promise<void> {
    const now = new Date();
    const where = { accountId, kind, dueAt: Not(IsNull()), linkExpiresAt: MoreThan(now) };
    await tx.update(OutgoingEmail, where, { linkExpiresAt: now });
  }

  /**
   * Returns the number of messages of one kind to one address in the last hour. Excludes other
   * transactions that count the same messages, so that concurrent requests keep the limit.
   */
  async countLastHour(tx: EntityManager, recipientDigest: string): Promise<number> {
    await lock(tx, 'mailRecipients', recipientDigest);
    return tx.countBy(OutgoingEmail, { recipientDigest, createdAt: MoreThan(new Date(Date.now() - HOUR_MS)) });
  }

  /** Returns the messages of an account, the oldest first. */
  list(accountId: string): Promise<OutgoingEmail[]> {
    return this.emails.find({ where: { accountId }, order: { id: 'ASC' } });
  }

  /** Deletes the messages of an account. */
  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(OutgoingEmail, { accountId });
  }

  /** Returns the number of messages that wait for delivery. */
  countWaiting(): Promise<number> {
    return this.emails.countBy({ dueAt: Not(IsNull()) });
  }

  /**
   * Takes messages that are due, so that no other process delivers them during the lease.
   * @param limit maximum number of messages; 0 is allowed
   */
  async claim(limit: number, leaseMs: number): Promise<ClaimedEmail[]> {
    if (limit === 0) return [];
    return this.transactions.run(async (tx) => {
      const isPostgres = tx.connection.options.type === 'postgres';
      const rows = await tx.find(OutgoingEmail, {
        where: { dueAt: LessThanOrEqual(new Date()) },
        order: { dueAt: 'ASC' },
        take: limit,
        ...(isPostgres && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } }),
      });
      const dueAt = new Date(Date.now() + leaseMs);
      if (rows.length > 0)
        await tx.update(OutgoingEmail, { id: In(rows.map(({ id }) => id)) }, { dueAt, attempts: () => 'attempts + 1' });
      return rows.map((row) => ({ ...row, dueAt, message: row.message!, attempts: row.attempts + 1 }));
    });
  }

  /** Erases a message that the mail server accepted. */
  markSent(email: ClaimedEmail): Promise<void> {
    return this.updateClaimed(email, { dueAt: null, message: null, sentAt: new Date(), lastError: null });
  }

  /** Lets a message wait for its next attempt. */
  postpone(email: ClaimedEmail, dueAt: Date, lastError: string): Promise<void> {
    return this.updateClaimed(email, { dueAt, lastError });
  }

  /** Erases a message after its last attempt. */
  markFailed(email: ClaimedEmail, lastError: string): Promise<void> {
    return this.updateClaimed(email, { dueAt: null, message: null, lastError });
  }

  /** Changes nothing if the lease expired and another process took the message. */
  private async updateClaimed({ id, dueAt, attempts }: ClaimedEmail, state: Partial<OutgoingEmail>): Promise<void> {
    await this.transactions.run((tx) => tx.update(OutgoingEmail, { id, dueAt, attempts }, state));
  }
}
