import type { ComponentChild } from 'preact';

/** A sentence with its `{name}` places filled in, as text. */
export function interpolate(sentence: string, values: Record<string, string | number>): string {
  return interpolateNodes(sentence, values).join('');
}

/** A sentence with its `{name}` places filled in, each with a text or an element. */
export function interpolateNodes<T extends ComponentChild>(
  sentence: string,
  values: Record<string, T>,
): (T | string)[] {
  return sentence.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part : values[name]!;
  });
}
