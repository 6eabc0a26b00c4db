/** Creates the ids of the headings of one document as GitHub does, so that its links work here. */
export class HeadingIds {
  private readonly countsById = new Map<string, number>();

  /** Returns the id of the next heading. An id that occurs again gets a number. */
  create(heading: string): string {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-');
    const count = this.countsById.get(id) ?? 0;
    this.countsById.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }
}
