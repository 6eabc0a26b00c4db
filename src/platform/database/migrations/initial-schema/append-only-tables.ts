/** Tables whose rows the database refuses to change or delete, with the error that it gives. */
const APPEND_ONLY_TABLES = [
  ['entity_versions', 'history is never changed'],
  ['audit_events', 'the audit is never changed'],
] as const;

const OPERATIONS = ['UPDATE', 'DELETE'] as const;

export const CREATE_APPEND_ONLY_TRIGGERS = {
  sqlite: APPEND_ONLY_TABLES.flatMap(([table, error]) =>
    OPERATIONS.map(
      (operation) => `CREATE TRIGGER "${table}_no_${operation.toLowerCase()}" BEFORE ${operation} ON "${table}"
         BEGIN SELECT RAISE(ABORT, '${error}'); END`,
    ),
  ),
  postgres: APPEND_ONLY_TABLES.flatMap(([table, error]) => [
    `CREATE FUNCTION "reject_${table}_change"() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION '${error}'; END $$`,
    `CREATE TRIGGER "${table}_append_only" BEFORE UPDATE OR DELETE ON "${table}"
       FOR EACH ROW EXECUTE FUNCTION "reject_${table}_change"()`,
  ]),
};

export const DROP_APPEND_ONLY_TRIGGERS = {
  sqlite: APPEND_ONLY_TABLES.flatMap(([table]) =>
    OPERATIONS.map((operation) => `DROP TRIGGER "${table}_no_${operation.toLowerCase()}"`),
  ),
  postgres: APPEND_ONLY_TABLES.flatMap(([table]) => [
    `DROP TRIGGER "${table}_append_only" ON "${table}"`,
    `DROP FUNCTION "reject_${table}_change"`,
  ]),
};
