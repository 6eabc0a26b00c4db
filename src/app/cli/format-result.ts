/** A result as people read it: a line for each member, an empty line between two of a list. */
export function formatResult(result: object): string {
  if (!Array.isArray(result)) return formatRecord(result);
  return result.length === 0 ? 'none' : result.map((one: object) => formatRecord(one)).join('\n\n');
}

function formatRecord(one: object): string {
  const entries = Object.entries(one);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}`).join('\n');
}

function formatValue(value: unknown): string {
  if (value == null) return '-';
  if (Array.isArray(value) && value.some((one) => typeof one === 'object')) {
    return value.map((one: object) => `\n${formatRecord(one).replace(/^/gm, '  ')}`).join('\n');
  }
  if (Array.isArray(value)) return value.join(', ') || '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
