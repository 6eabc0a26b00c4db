import { type ResponseBody, type TestResponse } from './test-server.js';

/** An app that keeps a copy of a feed. */
export class FeedReader {
  /** The records of the copy, by id. */
  readonly copy = new Map<string, ResponseBody>();
  since: string | undefined;
  private lastPage: Promise<unknown> = Promise.resolve();

  /** @param fetch fetches a page of the feed with these query parameters */
  constructor(
    private readonly member: 'marker' | 'artist',
    readonly fetch: (query: string) => Promise<TestResponse>,
    private readonly limit = 100,
  ) {}

  /** Reads one page and applies it to the copy. Pages are read one after the other. */
  readPage(): Promise<ResponseBody> {
    const page = this.lastPage.then(() => this.readNextPage());
    this.lastPage = page.catch(() => undefined);
    return page;
  }

  /** Reads pages until no change is waiting. @returns the changes */
  async readAll(): Promise<ResponseBody[]> {
    const changes: ResponseBody[] = [];
    for (let hasMore = true; hasMore;) {
      const { data, page } = await this.readPage();
      changes.push(...(data as ResponseBody[]));
      hasMore = page.hasMore as boolean;
    }
    return changes;
  }

  private async readNextPage(): Promise<ResponseBody> {
    const since = this.since === undefined ? '' : `&since=${this.since}`;
    const { status, body } = await this.fetch(`?limit=${this.limit}${since}`);
    if (status !== 200) throw new Error(`A page failed with ${status}: ${JSON.stringify(body)}`);
    for (const { id, change, [this.member]: record } of body.data as ResponseBody[]) {
      if (change === 'deleted') this.copy.delete(id as string);
      else this.copy.set(id as string, record);
    }
    this.since = body.page.nextSince as string;
    return body;
  }
}
