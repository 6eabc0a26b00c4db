/** Why a start failed, for whoever started: a sentence, where there is one. */
export function toErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return error.errors.map(toErrorMessage).join('; ');
  return error.message || error.name;
}
