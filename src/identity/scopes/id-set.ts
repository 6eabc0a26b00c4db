/**
 * Ids whose access tokens are rejected, in the memory of this process, so that the scope guard
 * needs no query.
 */
export class IdSet {
  private ids: ReadonlySet<string> = new Set();

  /** Whether the access tokens of an id are rejected. */
  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Replaces the ids. */
  replaceAll(ids: Iterable<string>): void {
    this.ids = new Set(ids);
  }
}
