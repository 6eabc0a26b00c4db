/** Limit of summaries in memory. The service has fewer different statements. */
const MAX_SUMMARIES = 2_000;

const MAX_SUMMARY_LENGTH = 255;

const summaries = new Map<string, string>();

/**
 * Returns the operations and tables of an SQL statement, such as `SELECT markers artists`: the
 * attribute `db.query.summary` of OpenTelemetry. It contains no literal.
 */
export function summarizeQuery(sql: string): string {
  const known = summaries.get(sql);
  if (known !== undefined) return known;
  const summary = summarize(sql);
  if (summaries.size >= MAX_SUMMARIES) summaries.clear();
  summaries.set(sql, summary);
  return summary;
}

/**
 * An operation, or a table after the keyword before it. `FOR UPDATE`, `DO UPDATE`, `IS DISTINCT
 * FROM` and a function after `FROM` are none.
 */
const PART = new RegExp(
  [
    String.raw`(?<!\b(?:FOR|DO|KEY)\s+)\b(?<update>UPDATE)\s+(?:ONLY\s+)?"?(?<updated>\w+)"?`,
    String.raw`\bINTO\s+"?(?<filled>\w+)"?`,
    String.raw`(?<!\bDISTINCT\s+)\b(?:FROM|JOIN)\s+(?:ONLY\s+)?"?(?<read>[A-Za-z_]\w*)\b"?(?!\s*\()`,
    String.raw`\b(?<verb>SELECT|INSERT|DELETE)\b`,
  ].join('|'),
  'gi',
);

/** A name that a `WITH` clause defines. */
const COMMON_TABLE =
  /(?:\bWITH\s+(?:RECURSIVE\s+)?|,\s*)"?(\w+)"?\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi;

function summarize(sql: string): string {
  const text = sql.replace(/'(?:[^']|'')*'/g, "''");
  const commonTables = new Set([...text.matchAll(COMMON_TABLE)].map(([, name]) => name!));
  const parts: string[] = [];
  let operation: string | undefined;
  let operationTables = new Set<string>();
  for (const { groups = {} } of text.matchAll(PART)) {
    const next = (groups['update'] ?? groups['verb'])?.toUpperCase();
    if (next !== undefined && next !== operation) {
      operation = next;
      operationTables = new Set(commonTables);
      parts.push(next);
    }
    const table = groups['updated'] ?? groups['filled'] ?? groups['read'];
    if (table === undefined || operationTables.has(table)) continue;
    operationTables.add(table);
    parts.push(table);
  }
  const firstWord = /[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? 'STATEMENT';
  return (parts.length > 0 ? parts.join(' ') : firstWord).slice(0, MAX_SUMMARY_LENGTH);
}
