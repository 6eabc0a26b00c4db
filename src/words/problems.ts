import { en } from './en.js';
import { fill } from './fill.js';
import type { Messages } from './messages.js';

/** What is wrong with a field that somebody filled in. */
export interface Problem {
  field: string;
  code: keyof Messages['problems'];
  /** What stands in the sentence's `{value}`. */
  value?: string;
}

/** Something that cannot be stored as it was filled in; nothing was. Its message is for those who used no page. */
export class Problems extends Error {
  override readonly name = 'Problems';

  constructor(readonly list: Problem[]) {
    super(list.map((problem) => sentenceOf(en, problem)).join(' '));
  }
}

/** What is wrong, a sentence for each field. */
export function sentences(messages: Messages, list: Problem[]): Record<string, string> {
  return Object.fromEntries([...list].reverse().map((problem) => [problem.field, sentenceOf(messages, problem)]));
}

function sentenceOf({ problems }: Messages, { code, value = '' }: Problem): string {
  return fill(problems[code], { value });
}
