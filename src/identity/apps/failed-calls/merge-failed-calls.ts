import type { FailedCall, SentValue } from './failed-call.entity.js';

/** Number of distinct sent values that are stored for each rule. */
const MAX_SENT_VALUES = 5;

/** Returns the failed calls of two records about the same rule as one record. */
export function mergeFailedCalls(first: FailedCall, second: FailedCall): FailedCall {
  const [earlier, later] = first.lastFailedAt <= second.lastFailedAt ? [first, second] : [second, first];
  return {
    ...later,
    firstFailedAt: first.firstFailedAt <= second.firstFailedAt ? first.firstFailedAt : second.firstFailedAt,
    count: first.count + second.count,
    sentValues: mergeSentValues([...later.sentValues, ...earlier.sentValues]),
  };
}

function mergeSentValues(sentValues: SentValue[]): SentValue[] {
  const newestFirst = [...sentValues].sort((first, second) => second.sentAt - first.sentAt);
  const isFirstOccurrence = ({ value }: SentValue, index: number): boolean =>
    newestFirst.findIndex((other) => other.value === value) === index;
  return newestFirst.filter(isFirstOccurrence).slice(0, MAX_SENT_VALUES);
}
