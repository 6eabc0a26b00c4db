import type { TableOptions } from 'typeorm';
import {
  boolean,
  digestText,
  idDefinition,
  index,
  integer,
  nullableField,
  table,
  text,
  timestampDefinition,
  varchar,
  withDefault,
} from '../../table-options.js';

/** Tables of the platform: audit, scheduling, mail and rate limits. */
export const PLATFORM_TABLES: TableOptions[] = [
  table(
    'audit_events',
    ['id', 'occurred_at'],
    {
      id: idDefinition,
      occurred_at: timestampDefinition,
      type: varchar(40),
      account_id: nullableField(idDefinition),
      app_id: nullableField(idDefinition),
      authorization_id: nullableField(idDefinition),
      detail: nullableField(text),
      ip_address: nullableField(varchar(45)),
      by_operator: withDefault(boolean, 'false'),
    },
    {
      indices: [
        index('audit_events_occurred_at', 'occurred_at', 'id'),
        index('audit_events_account', 'account_id', 'occurred_at', 'id'),
        index('audit_events_app', 'app_id', 'occurred_at', 'id'),
      ],
    },
  ),
  // One row: the events before `keep_since` are older than `AUDIT_RETENTION` and can be deleted. It
  // is 0 without a retention.
  table('audit_retention', [], { keep_since: timestampDefinition }),
  // One row, used on SQLite: the clock is compared with these times before rows are deleted by age.
  table('clean_ups', [], { cleaned_up_at: timestampDefinition, confirmed_row_at: timestampDefinition }),
  table('scheduled_tasks', ['name'], {
    name: varchar(40),
    due_at: timestampDefinition,
    lease_expires_at: nullableField(timestampDefinition),
  }),
  table(
    'outgoing_emails',
    ['id'],
    {
      id: idDefinition,
      account_id: nullableField(idDefinition),
      recipient_digest: digestText,
      kind: varchar(40),
      message: nullableField(text),
      created_at: timestampDefinition,
      due_at: nullableField(timestampDefinition),
      link_expires_at: nullableField(timestampDefinition),
      attempts: integer,
      sent_at: nullableField(timestampDefinition),
      last_error: nullableField(varchar(200)),
    },
    {
      indices: [
        index('outgoing_emails_due_at', 'due_at'),
        index('outgoing_emails_recipient', 'recipient_digest', 'created_at'),
        index('outgoing_emails_created_at', 'created_at'),
        index('outgoing_emails_account', 'account_id'),
      ],
    },
  ),
  table(
    'rate_limit_windows',
    ['digest'],
    { digest: digestText, count: integer, ends_at: timestampDefinition },
    { indices: [index('rate_limit_windows_ends', 'ends_at')] },
  ),
  table(
    'idempotent_responses',
    ['digest'],
    { digest: digestText, encrypted_response: text, expires_at: timestampDefinition },
    { indices: [index('idempotent_responses_expires', 'expires_at')] },
  ),
];
