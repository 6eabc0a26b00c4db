import type { TableOptions } from 'typeorm';
import { id, index, nullable, table, text, timestampMs, varchar } from '../../table-options.js';

/** Tables of the platform: audit and scheduling. */
export const PLATFORM_TABLES: TableOptions[] = [
  table(
    'audit_events',
    ['id'],
    {
      id,
      occurred_at: timestampMs,
      type: varchar(40),
      account_id: nullable(id),
      app_id: nullable(id),
      authorization_id: nullable(id),
      detail: nullable(text),
      ip_address: nullable(varchar(45)),
    },
    {
      indices: [
        index('audit_events_occurred_at', 'occurred_at', 'id'),
        index('audit_events_account', 'account_id', 'occurred_at', 'id'),
        index('audit_events_app', 'app_id', 'occurred_at', 'id'),
      ],
    },
  ),
  table('scheduled_tasks', ['name'], {
    name: varchar(40),
    due_at: timestampMs,
    lease_expires_at: nullable(timestampMs),
  }),
];
