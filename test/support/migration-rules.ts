/** The table of a statement, if the table must exist before. */
const TABLE =
  /^(?:ALTER TABLE|DROP TABLE|UPDATE|DELETE FROM|LOCK(?: TABLE)?|CREATE (?:UNIQUE )?INDEX .*? ON|CREATE TRIGGER .*? ON) (?:IF EXISTS |ONLY )*(?<table>\w+)/i;

/** Statements that block other processes, or break old ones, and what to do instead. */
const RULES: [pattern: RegExp, advice: string][] = [
  [/^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)(?!.* ON ONLY )/i, 'use CONCURRENTLY'],
  [/^DROP INDEX (?!CONCURRENTLY)/i, 'use CONCURRENTLY'],
  [/^(LOCK|CLUSTER|VACUUM|REINDEX)\b/i, 'block no table'],
  [/^(UPDATE|DELETE)\b/i, 'change rows in batches, in a service that runs at the start'],
  [/^ALTER .* ALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i, 'add another column: this rewrites the table'],
  [
    /^ALTER .* ADD (?!CONSTRAINT).*(DEFAULT [^' ]*\(|\bGENERATED\b|SERIAL\b)/i,
    'add a column with a constant default: this rewrites the table',
  ],
  [
    /^ALTER .* ADD (?!CONSTRAINT)(?!.* DEFAULT ).* NOT NULL\b/i,
    'add a default: old processes insert without the column',
  ],
  [/^ALTER .* (CHECK|REFERENCES)\b(?!.* NOT VALID\b)/i, 'add it NOT VALID, and VALIDATE it in another migration'],
  [
    /^ALTER .* (UNIQUE|PRIMARY KEY|EXCLUDE)\b(?!.* USING INDEX\b)/i,
    'build an index concurrently, and add it USING INDEX',
  ],
  [/^ALTER .* (DROP (COLUMN )?(?!CONSTRAINT\b|COLUMN\b)\w+$|RENAME\b)|^DROP TABLE\b/i, 'remove only in a contraction'],
];

/**
 * Returns the statements of a migration that would block other processes or break old ones, with
 * advice. It reads the text only: it does not see the body of a function, nor how long a statement
 * takes. Tables that the migration creates are free.
 */
export function findBlockingStatements(statements: string[]): string[] {
  const created = new Set<string>();
  const validated = new Set<string>();
  const changed = new Set<string>();
  const problems: string[] = [];
  for (const statement of statements) {
    const sql = statement.replaceAll('"', '').replace(/\s+/g, ' ').trim();
    const table = TABLE.exec(sql)?.groups?.['table'] ?? '';
    const [, newTable] = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(sql) ?? [];
    if (newTable) created.add(newTable);
    if (created.has(table)) continue;
    if (/^(ALTER TABLE|CREATE TRIGGER)\b/i.test(sql)) changed.add(table);
    if (/ VALIDATE CONSTRAINT /i.test(sql)) validated.add(table);
    const advice = RULES.filter(([pattern]) => pattern.test(sql)).map(([, text]) => text);
    if (/ SET NOT NULL\b/i.test(sql) && !validated.has(table)) advice.push('VALIDATE a CHECK (… IS NOT NULL) before');
    problems.push(...advice.map((text) => `${sql}: ${text}`));
  }
  if (changed.size > 1)
    problems.push(`${[...changed].join(', ')}: change one table, because the waits for locks add up`);
  return problems;
}
