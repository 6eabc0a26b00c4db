/** A table whose rows the database refuses to change or delete, with the exceptions as SQL. */
interface AppendOnlyTable {
  name: string;
  error: string;
  /** Updates that the database allows. The default is none. */
  isUpdatable?: { sqlite: string; postgres: string };
  /** Rows that the database allows to delete. The default is none. */
  isDeletable?: string;
}

/** Columns of audit events that no update can change, on SQLite. PostgreSQL compares whole rows. */
const FIXED_AUDIT_COLUMNS = ['id', 'occurred_at', 'type', 'account_id', 'app_id', 'authorization_id', 'by_operator'];

const IS_ACCOUNT_DELETED =
  'EXISTS (SELECT 1 FROM "accounts" WHERE "id" = OLD."account_id" AND "deleted_at" IS NOT NULL)';

const APPEND_ONLY_TABLES: AppendOnlyTable[] = [
  { name: 'entity_versions', error: 'history is never changed' },
  {
    name: 'audit_events',
    error: 'the audit is never changed',
    // The events of a deleted account can lose their details and IP addresses.
    isUpdatable: {
      sqlite: [
        'NEW."detail" IS NULL AND NEW."ip_address" IS NULL',
        ...FIXED_AUDIT_COLUMNS.map((column) => `NEW."${column}" IS OLD."${column}"`),
        IS_ACCOUNT_DELETED,
      ].join(' AND '),
      postgres: `to_jsonb(NEW) = to_jsonb(OLD) || '{"detail": null, "ip_address": null}' AND ${IS_ACCOUNT_DELETED}`,
    },
    isDeletable: 'OLD."occurred_at" < (SELECT "keep_since" FROM "audit_retention")',
  },
];

function createSqliteTriggers({ name, error, isUpdatable, isDeletable }: AppendOnlyTable): string[] {
  const create = (operation: string, exception?: string): string =>
    `CREATE TRIGGER "${name}_no_${operation.toLowerCase()}" BEFORE ${operation} ON "${name}"
       ${exception === undefined ? '' : `WHEN (${exception}) IS NOT TRUE`} BEGIN SELECT RAISE(ABORT, '${error}'); END`;
  return [create('UPDATE', isUpdatable?.sqlite), create('DELETE', isDeletable)];
}

function createPostgresTrigger({ name, error, isUpdatable, isDeletable }: AppendOnlyTable): string[] {
  const exceptions = [
    isUpdatable && `IF TG_OP = 'UPDATE' AND ${isUpdatable.postgres} THEN RETURN NEW; END IF;`,
    isDeletable && `IF TG_OP = 'DELETE' AND (${isDeletable}) THEN RETURN OLD; END IF;`,
  ];
  return [
    `CREATE FUNCTION "reject_${name}_change"() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN ${exceptions.filter(Boolean).join(' ')} RAISE EXCEPTION '${error}'; END $$`,
    `CREATE TRIGGER "${name}_append_only" BEFORE UPDATE OR DELETE ON "${name}"
       FOR EACH ROW EXECUTE FUNCTION "reject_${name}_change"()`,
  ];
}

export const CREATE_APPEND_ONLY_TRIGGERS = {
  sqlite: APPEND_ONLY_TABLES.flatMap(createSqliteTriggers),
  postgres: APPEND_ONLY_TABLES.flatMap(createPostgresTrigger),
};

export const DROP_APPEND_ONLY_TRIGGERS = {
  sqlite: APPEND_ONLY_TABLES.flatMap(({ name }) => [
    `DROP TRIGGER "${name}_no_update"`,
    `DROP TRIGGER "${name}_no_delete"`,
  ]),
  postgres: APPEND_ONLY_TABLES.flatMap(({ name }) => [
    `DROP TRIGGER "${name}_append_only" ON "${name}"`,
    `DROP FUNCTION "reject_${name}_change"`,
  ]),
};
