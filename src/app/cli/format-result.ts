/** Formats a result as text: one line per member, an empty line between the records of a list. */
export function formatResult(result: object): string {
  if (!Array.isArray(result)) return formatRecord(result);
  return result.length === 0 ? 'none' : result.map((record: object) => formatRecord(record)).join('\n\n');
}

function formatRecord(record: object): string {
  const entries = Object.entries(record);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}`).join('\n');
}

function formatValue(value: unknown): string {
  if (value == null) return '-';
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return value.map((record: object) => `\n${formatRecord(record).replace(/^/gm, '  ')}`).join('\n');
  }
  if (Array.isArray(value)) return value.join(', ') || '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
