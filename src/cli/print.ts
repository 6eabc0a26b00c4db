/** A result as people read it: a line for each member, an empty line between two of a list. */
export function printable(result: object): string {
  if (!Array.isArray(result)) return lines(result);
  return result.length === 0 ? 'none' : result.map((one: object) => lines(one)).join('\n\n');
}

function lines(one: object): string {
  const entries = Object.entries(one);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`).join('\n');
}

function text(value: unknown): string {
  if (value == null) return '-';
  if (Array.isArray(value) && value.some((one) => typeof one === 'object')) {
    return value.map((one: object) => `\n${lines(one).replace(/^/gm, '  ')}`).join('\n');
  }
  if (Array.isArray(value)) return value.join(', ') || '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
