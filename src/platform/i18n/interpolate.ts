import type { ComponentChild } from 'preact';

/** Returns the message with each `{name}` placeholder replaced by its value. */
export function interpolate(message: string, values: Record<string, string | number>): string {
  return interpolateNodes(message, values).join('');
}

/**
 * Returns the parts of the message, with each `{name}` placeholder replaced by its text or element.
 */
export function interpolateNodes<T extends ComponentChild>(message: string, values: Record<string, T>): (T | string)[] {
  return message.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part : values[name]!;
  });
}

/** Returns the message in the singular or plural of the language, with its `{count}`. */
export function interpolateCount(count: number, one: string, other: string, language: string): string {
  const isSingular = new Intl.PluralRules(language).select(count) === 'one';
  return interpolate(isSingular ? one : other, { count: new Intl.NumberFormat(language).format(count) });
}
