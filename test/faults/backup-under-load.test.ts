import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type BackupMethod, POSTGRES_BACKUP_METHOD, SQLITE_BACKUP_METHOD } from '../support/backup-methods.js';
import { type RefreshTokenChain, issueChains, type RefreshOutcome } from '../support/refresh-token-chain.js';
import { createSqliteDatabase, type TestDatabase } from '../support/database.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';
import { insertExpiredTokens } from '../support/expired-tokens.js';

const CHAIN_COUNT = 8;

/** Expired rows, so that SQLite copies the database in many steps while other connections write. */
const [EXPIRED_CHAIN_COUNT, EXPIRED_TOKENS_PER_CHAIN] = [500, 100];

const BACKUP_CASES: [name: string, newDatabase: () => Promise<TestDatabase>, backups: BackupMethod][] = [
  ['SQLite', createSqliteDatabase, SQLITE_BACKUP_METHOD],
  ['PostgreSQL', (): Promise<TestDatabase> => PostgresCluster.start(), POSTGRES_BACKUP_METHOD],
];

describe.each(BACKUP_CASES)('Backup of %s under load, restored', (_, createDatabase, { backUp, restore }) => {
  let database: TestDatabase;
  let folder: TempFolder;
  let activeChains: RefreshTokenChain[];
  let idleChains: RefreshTokenChain[];
  let restored: TestDatabase | undefined;
  let server: ServerProcess | undefined;
  /** The number of used tokens of each active chain at the start and at the end of the backup. */
  let usedAtStart: number[];
  let usedAtEnd: number[];

  beforeAll(async () => {
    [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
    const filling = await TestServer.start({ DATABASE_URL: database.url });
    await insertExpiredTokens(filling, EXPIRED_CHAIN_COUNT, EXPIRED_TOKENS_PER_CHAIN);
    await filling.stop();
    const chains = await issueChains(database, 2 * CHAIN_COUNT);
    [activeChains, idleChains] = [chains.slice(0, CHAIN_COUNT), chains.slice(CHAIN_COUNT)];
    const original = await ServerProcess.startOn(database.url);
    for (const chain of idleChains) await chain.refresh(original.url);
    const load = new RefreshLoad(activeChains, [original.url]);
    await load.waitForMoreTokens(100);
    const file = join(folder.path, 'backup');
    usedAtStart = activeChains.map(({ usedTokens }) => usedTokens.length);
    await backUp(database.url, file);
    usedAtEnd = activeChains.map(({ usedTokens }) => usedTokens.length);
    await load.waitForMoreTokens(100);
    expect(await load.stop()).toEqual(activeChains.map(() => expect.objectContaining({ status: 200 })));
    for (const chain of idleChains) await chain.refresh(original.url);
    await original.stop();
    restored = await restore(database.url, file);
    server = await ServerProcess.startOn(restored.url);
  });
  afterAll(async () => {
    await server?.stop();
    await restored?.drop();
    await database.drop();
    await folder.remove();
  });

  /** Presents every token of a chain to the restored service. @returns the results in order */
  const present = async (chain: RefreshTokenChain): Promise<string[]> => {
    const results: string[] = [];
    for (const token of [...chain.usedTokens, chain.currentToken])
      results.push(summarizeOutcome(await chain.presentToken(server!.url, token)));
    return results;
  };

  it('runs while tokens are used', () => {
    expect(sum(usedAtEnd)).toBeGreaterThan(sum(usedAtStart));
  });

  it('contains each token that was issued before it, and accepts each once', async () => {
    for (const chain of idleChains) {
      // The first token was used before the backup, the second one after it, and the third one was
      // issued later.
      expect(await present(chain)).toEqual(['already used', 'works', 'unknown']);
      expect(await present(chain)).toEqual(['already used', 'already used', 'unknown']);
    }
  });

  it('contains each active chain at one moment: used before it, one valid token, unknown after it', async () => {
    for (const [index, chain] of activeChains.entries()) {
      const last = summarizeOutcome(await chain.clone().refresh(server!.url));
      expect(last).toBe('unknown');
      const results = await present(chain);
      const validIndex = results.indexOf('works');
      expect(results).toEqual([
        ...Array(validIndex).fill('already used'),
        'works',
        ...Array(results.length - validIndex - 1).fill('unknown'),
      ]);
      expect(validIndex).toBeGreaterThanOrEqual(usedAtStart[index]!);
      // one more response may have been in flight
      expect(validIndex).toBeLessThanOrEqual(usedAtEnd[index]! + 1);
      expect(await present(chain)).not.toContain('works');
    }
  });

  it('continues with new tokens', async () => {
    const [chain] = await issueChains(restored!, 1);
    const load = new RefreshLoad([chain!], [server!.url]);
    await load.waitForMoreTokens(20);
    expect(await load.stop()).toEqual([expect.objectContaining({ status: 200 })]);
  });
});

function summarizeOutcome(outcome: RefreshOutcome): string {
  if (typeof outcome === 'string') return outcome;
  if (outcome.status === 200) return 'works';
  expect(outcome).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  return /already used/.exec(outcome.body.error_description)?.[0] ?? 'unknown';
}

function sum(counts: number[]): number {
  return counts.reduce((one, other) => one + other, 0);
}
