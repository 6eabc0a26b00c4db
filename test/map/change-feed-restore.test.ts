import { describe, expect, it } from '@jest/globals';
import { copyDatabase, createDatabase, type TestDatabase } from '../support/database.js';
import { expectApiError } from '../support/edits-fixture.js';
import { createMarker, issueAccessToken } from '../support/factories.js';
import { FeedReader } from '../support/feed-reader.js';
import { TestServer } from '../support/test-server.js';

/** Starts a server on a database, lets an app use it, and stops the server. */
async function withServer<T>(
  { url }: TestDatabase,
  work: (server: TestServer, openFeed: () => FeedReader) => Promise<T>,
): Promise<T> {
  const server = await TestServer.start({ DATABASE_URL: url });
  const token = await issueAccessToken(server, ['markers:read']);
  const get = (query: string) => server.request('GET', `/api/markers/changes${query}`, { token });
  return work(server, () => new FeedReader('marker', get, 2)).finally(() => server.stop());
}

async function createMarkers(server: TestServer, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await createMarker(server)).id);
  return ids;
}

describe('Feeds of changes after a restart', () => {
  it('continue with the same token', async () => {
    const database = await createDatabase();
    const since = await withServer(database, async (server, openFeed) => {
      await createMarkers(server, 3);
      const feed = openFeed();
      await feed.readAll();
      return feed.since!;
    });
    await withServer(database, async (server, openFeed) => {
      const created = await createMarkers(server, 3);
      const feed = Object.assign(openFeed(), { since });
      expect((await feed.readAll()).map(({ id }) => id as string)).toEqual(created);
    });
    await database.drop();
  });

  it('reject tokens for changes that the restore of a backup undid', async () => {
    const database = await createDatabase();
    const before = await withServer(database, async (server, openFeed) => {
      await createMarkers(server, 4);
      const [complete, partial] = [openFeed(), openFeed()];
      await complete.readAll();
      await partial.readPage();
      return { complete: complete.since!, partial: partial.since! };
    });
    const backup = await copyDatabase(database);
    const lost = await withServer(database, async (server, openFeed) => {
      const complete = Object.assign(openFeed(), { since: before.complete });
      await createMarkers(server, 2);
      await complete.readAll();
      const partial = openFeed();
      await partial.readPage(); // at a position that the backup has, in a pass that began after it
      return [complete.since, partial.since!];
    });
    await withServer(backup, async (server, openFeed) => {
      const reader = openFeed();
      const expectLost = async (): Promise<void> => {
        for (const since of lost) {
          const request = reader.fetch(`?since=${since}`);
          expectApiError(await request, 410, 'sync_token_expired');
        }
      };
      await expectLost();
      const created = await createMarkers(server, 5);
      await expectLost();
      const complete = Object.assign(openFeed(), { since: before.complete });
      expect((await complete.readAll()).map(({ id }) => id as string)).toEqual(created);
      const partial = Object.assign(openFeed(), { since: before.partial });
      expect(await partial.readAll()).toHaveLength(2 + created.length);
    });
    await backup.drop();
    await database.drop();
  });
});
