import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, nullableColumn, timestampMs } from '../database/columns.js';

/**
 * A message of the outbox. It waits while `dueAt` is set. After the delivery, or after the last
 * attempt, the row stays without its message, for the limit per address.
 */
@Entity('outgoing_emails')
@Index('outgoing_emails_recipient', ['recipientDigest', 'createdAt'])
export class OutgoingEmail {
  @PrimaryColumn(idColumn)
  id!: string;

  /** The account that the message concerns; null if there is none. */
  @Index('outgoing_emails_account')
  @Column(nullableColumn(idColumn))
  accountId!: string | null;

  /** Keyed digest of the address and the kind. */
  @Column({ type: 'varchar', length: 43 })
  recipientDigest!: string;

  @Column({ type: 'varchar', length: 40 })
  kind!: string;

  /** The `OutgoingMessage`, encrypted; null after the last attempt. */
  @Column(nullableColumn({ type: 'text' }))
  message!: string | null;

  @Index('outgoing_emails_created_at')
  @Column(timestampMs)
  createdAt!: Date;

  /**
   * Time of the next attempt; null after the last one. While a process attempts the delivery, this
   * is the end of its lease. If the process crashes, another one then delivers the message.
   */
  @Index('outgoing_emails_due_at')
  @Column(nullableColumn(timestampMs))
  dueAt!: Date | null;

  /** When the link in the message expires, or was replaced; null without such a link. */
  @Column(nullableColumn(timestampMs))
  linkExpiresAt!: Date | null;

  /** Attempts that were started. */
  @Column({ type: 'integer' })
  attempts!: number;

  @Column(nullableColumn(timestampMs))
  sentAt!: Date | null;

  /** Reason of the last failed attempt, without addresses and secrets. */
  @Column(nullableColumn({ type: 'varchar', length: 200 }))
  lastError!: string | null;
}
