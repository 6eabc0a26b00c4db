import { CREATE_APPEND_ONLY_TRIGGERS } from '../initial-schema/append-only-tables.js';

const ERROR = 'the audit is never changed';

/** Columns that no update can change, on SQLite. PostgreSQL compares whole rows. */
const FIXED_COLUMNS = ['id', 'occurred_at', 'type', 'account_id', 'app_id', 'authorization_id', 'by_operator'];

const IS_ACCOUNT_DELETED =
  'EXISTS (SELECT 1 FROM "accounts" WHERE "id" = OLD."account_id" AND "deleted_at" IS NOT NULL)';

/** Whether the update only removes the detail and the IP address. */
const IS_PSEUDONYMIZATION = {
  sqlite: [
    'NEW."detail" IS NULL AND NEW."ip_address" IS NULL',
    ...FIXED_COLUMNS.map((column) => `NEW."${column}" IS OLD."${column}"`),
  ].join(' AND '),
  postgres: `to_jsonb(NEW) = to_jsonb(OLD) || '{"detail": null, "ip_address": null}'`,
};

/** Statements for each database. */
interface Statements {
  sqlite: string[];
  postgres: string[];
}

/**
 * Returns the statements that create the triggers of `audit_events`. They reject each update except
 * one: the events of a deleted account can lose their details and IP addresses.
 * @param isDeletable SQL condition of events that can be deleted; they reject each other deletion
 */
export function buildAuditTriggers(isDeletable: string): Statements {
  return {
    sqlite: [
      `CREATE TRIGGER "audit_events_no_update" BEFORE UPDATE ON "audit_events"
         WHEN NOT (${IS_PSEUDONYMIZATION.sqlite} AND ${IS_ACCOUNT_DELETED})
         BEGIN SELECT RAISE(ABORT, '${ERROR}'); END`,
      `CREATE TRIGGER "audit_events_no_delete" BEFORE DELETE ON "audit_events"
         WHEN (${isDeletable}) IS NOT TRUE
         BEGIN SELECT RAISE(ABORT, '${ERROR}'); END`,
    ],
    postgres: [
      `CREATE FUNCTION "reject_audit_events_change"() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           IF TG_OP = 'UPDATE' AND ${IS_PSEUDONYMIZATION.postgres} AND ${IS_ACCOUNT_DELETED} THEN RETURN NEW; END IF;
           IF TG_OP = 'DELETE' AND (${isDeletable}) THEN RETURN OLD; END IF;
           RAISE EXCEPTION '${ERROR}';
         END $$`,
      `CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events"
         FOR EACH ROW EXECUTE FUNCTION "reject_audit_events_change"()`,
    ],
  };
}

/** The triggers without a retention: no event can be deleted. */
export const CREATE_AUDIT_TRIGGERS = buildAuditTriggers('false');

/**
 * Statements that drop these triggers, and those of the initial schema, which have the same names.
 */
export const DROP_AUDIT_TRIGGERS = {
  sqlite: ['DROP TRIGGER "audit_events_no_update"', 'DROP TRIGGER "audit_events_no_delete"'],
  postgres: ['DROP TRIGGER "audit_events_append_only" ON "audit_events"', 'DROP FUNCTION "reject_audit_events_change"'],
};

/** The triggers of `audit_events` in the initial schema, which reject all changes. */
export const CREATE_PREVIOUS_AUDIT_TRIGGERS = {
  sqlite: CREATE_APPEND_ONLY_TRIGGERS.sqlite.filter((statement) => statement.includes('audit_events')),
  postgres: CREATE_APPEND_ONLY_TRIGGERS.postgres.filter((statement) => statement.includes('audit_events')),
};
