import { callApi } from './api.js';

/** The members of a marker that the copy has. */
const FIELDS = 'id,kind,title,location';

/** Error codes after which a copy begins again. */
const RESTART_CODES = ['invalid_sync_token', 'sync_token_expired'];

/**
 * A copy of the map in the database of the browser, which can be searched without a connection. The
 * feed of changes keeps it up to date.
 */
export class MapCopy {
  /** Opens the copy, or creates an empty one. */
  static async open() {
    const request = indexedDB.open('pocket-map', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('markers', { keyPath: 'id' });
      request.result.createObjectStore('state');
    };
    return new MapCopy(await resultOf(request));
  }

  constructor(database) {
    this.database = database;
  }

  /** Applies the changes since the last time, page by page. */
  async synchronize(client) {
    for (let hasMore = true; hasMore;) {
      const since = await resultOf(this.read('state').get('since'));
      const query = new URLSearchParams({ limit: 500, fields: FIELDS, ...(since && { since }) });
      try {
        const changes = await callApi(client, `/api/markers/changes?${query}`);
        await this.apply(changes);
        hasMore = changes.page.hasMore;
      } catch (error) {
        if (!since || !RESTART_CODES.includes(error.code)) throw error;
        await this.clear();
      }
    }
  }

  count() {
    return resultOf(this.read('markers').count());
  }

  /** Returns the first markers whose titles contain a text. */
  async find(text, limit) {
    const markers = await resultOf(this.read('markers').getAll());
    const matches = ({ title }) => title.toLowerCase().includes(text.toLowerCase());
    return markers.filter(matches).slice(0, limit);
  }

  async clear() {
    const transaction = this.database.transaction(['markers', 'state'], 'readwrite');
    for (const name of ['markers', 'state']) transaction.objectStore(name).clear();
    await completionOf(transaction);
  }

  /** Writes the changes together with the token, so that both are kept or neither. */
  async apply({ data, page }) {
    const transaction = this.database.transaction(['markers', 'state'], 'readwrite');
    const markers = transaction.objectStore('markers');
    for (const { id, change, marker } of data) {
      if (change === 'deleted') markers.delete(id);
      else markers.put(marker);
    }
    transaction.objectStore('state').put(page.nextSince, 'since');
    await completionOf(transaction);
  }

  read(store) {
    return this.database.transaction(store).objectStore(store);
  }
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function completionOf(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
