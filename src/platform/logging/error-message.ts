/** Returns the message for the operator of an error that ended the start. */
export function toErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return error.errors.map(toErrorMessage).join('; ');
  return error.message || error.name;
}
