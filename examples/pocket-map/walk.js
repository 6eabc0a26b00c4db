import { callApi } from './api.js';

const COLLECTION_NAME = 'Pocket Map';

/** The person's walk: a private collection of this app. */
export class Walk {
  constructor(client) {
    this.client = client;
  }

  /** Returns the artworks of the walk in their order; none if there is no walk yet. */
  async list() {
    const id = await this.findId();
    if (!id) return [];
    const { items } = await callApi(this.client, `/api/collections/${id}?limit=100`);
    return items.map(({ artwork }) => artwork);
  }

  /** Adds an artwork. The first one creates the collection. */
  async add(markerId) {
    const id = (await this.findId()) ?? (await this.create());
    await callApi(this.client, `/api/collections/${id}/items`, { method: 'POST', body: { items: [{ markerId }] } });
  }

  async remove(markerId) {
    await callApi(this.client, `/api/collections/${await this.findId()}/items/${markerId}`, { method: 'DELETE' });
  }

  /** Saves the order of the artworks. */
  async order(markerIds) {
    await callApi(this.client, `/api/collections/${await this.findId()}/order`, {
      method: 'POST',
      body: { markerIds },
    });
  }

  async findId() {
    this.id ??= (await this.listCollections()).find(({ name }) => name === COLLECTION_NAME)?.id;
    return this.id;
  }

  async create() {
    ({ id: this.id } = await callApi(this.client, '/api/collections', {
      method: 'POST',
      body: { name: COLLECTION_NAME },
    }));
    return this.id;
  }

  /** Returns all collections of the person, page by page. */
  async listCollections() {
    const collections = [];
    for (let cursor = ''; cursor !== null;) {
      const query = new URLSearchParams({ limit: 100, ...(cursor && { cursor }) });
      const { data, page } = await callApi(this.client, `/api/collections?${query}`);
      collections.push(...data);
      cursor = page.nextCursor;
    }
    return collections;
  }
}
