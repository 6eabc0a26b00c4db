import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import {
  digest,
  id,
  index,
  integer,
  normalizeColumnTypes,
  nullable,
  table,
  text,
  timestampMs,
  varchar,
} from '../table-options.js';

const OUTGOING_EMAILS = table(
  'outgoing_emails',
  ['id'],
  {
    id,
    account_id: nullable(id),
    recipient_digest: digest,
    kind: varchar(40),
    message: nullable(text),
    created_at: timestampMs,
    due_at: nullable(timestampMs),
    attempts: integer,
    sent_at: nullable(timestampMs),
    last_error: nullable(varchar(200)),
  },
  {
    indices: [
      index('outgoing_emails_due_at', 'due_at'),
      index('outgoing_emails_recipient', 'recipient_digest', 'created_at'),
      index('outgoing_emails_created_at', 'created_at'),
      index('outgoing_emails_account', 'account_id'),
    ],
  },
);

/** Adds the outbox of e-mail. */
export class AddOutgoingEmails1764700000000 implements MigrationInterface {
  readonly name = 'AddOutgoingEmails1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(new Table(normalizeColumnTypes(runner, OUTGOING_EMAILS)));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(OUTGOING_EMAILS.name);
  }
}
