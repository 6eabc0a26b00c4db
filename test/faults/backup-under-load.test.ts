import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type BackupMethod, POSTGRES_BACKUP_METHOD, SQLITE_BACKUP_METHOD } from '../support/backup-methods.js';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains, type RefreshOutcome } from '../support/refresh-token-chain.js';
import { createSqliteDatabase, type TestDatabase } from '../support/database.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { createTempFolder, type ServerProcess } from '../support/server-process.js';
import { TestServer } from '../support/test-server.js';
import { insertExpiredTokens } from '../support/expired-tokens.js';

const CHAIN_COUNT = 8;

/** So much is stored besides that SQLite copies it in many steps, between which others write. */
const [EXPIRED_CHAIN_COUNT, EXPIRED_TOKENS_PER_CHAIN] = [500, 100];

const BACKUP_CASES: [name: string, newDatabase: () => Promise<TestDatabase>, backups: BackupMethod][] = [
  ['SQLite', createSqliteDatabase, SQLITE_BACKUP_METHOD],
  ['PostgreSQL', (): Promise<TestDatabase> => PostgresCluster.start(), POSTGRES_BACKUP_METHOD],
];

describe.each(BACKUP_CASES)(
  'A backup of %s that was taken under load, and restored',
  (_, newDatabase, { backUp, restore }) => {
    let database: TestDatabase;
    let folder: Awaited<ReturnType<typeof createTempFolder>>;
    let busy: RefreshTokenChain[];
    let resting: RefreshTokenChain[];
    let restored: TestDatabase | undefined;
    let server: ServerProcess | undefined;
    /** How many tokens of each busy chain were spent, as its client knew when the backup began and when it was done. */
    let spentBefore: number[];
    let spentAfter: number[];

    beforeAll(async () => {
      [database, folder] = await Promise.all([newDatabase(), createTempFolder()]);
      const filling = await TestServer.start({ DATABASE_URL: database.url });
      await insertExpiredTokens(filling, EXPIRED_CHAIN_COUNT, EXPIRED_TOKENS_PER_CHAIN);
      await filling.stop();
      const chains = await issueChains(database, 2 * CHAIN_COUNT);
      [busy, resting] = [chains.slice(0, CHAIN_COUNT), chains.slice(CHAIN_COUNT)];
      const original = await startServerProcess(database.url);
      for (const chain of resting) await chain.refresh(original.url);
      const load = new RefreshLoad(busy, [original.url]);
      await load.waitForMoreTokens(100);
      const file = join(folder.path, 'backup');
      spentBefore = busy.map(({ usedTokens }) => usedTokens.length);
      await backUp(database.url, file);
      spentAfter = busy.map(({ usedTokens }) => usedTokens.length);
      await load.waitForMoreTokens(100);
      expect(await load.stop()).toEqual(busy.map(() => expect.objectContaining({ status: 200 })));
      for (const chain of resting) await chain.refresh(original.url);
      await original.stop();
      restored = await restore(database.url, file);
      server = await startServerProcess(restored.url);
    });
    afterAll(async () => {
      await server?.stop();
      await restored?.drop();
      await database.drop();
      await folder.remove();
    });

    /** What the restored service says of each token that the client of a chain ever had. */
    const present = async (chain: RefreshTokenChain): Promise<string[]> => {
      const seen: string[] = [];
      for (const token of [...chain.usedTokens, chain.currentToken])
        seen.push(summarizeOutcome(await chain.presentToken(server!.url, token)));
      return seen;
    };

    it('was taken while tokens were spent', () => {
      expect(sum(spentAfter)).toBeGreaterThan(sum(spentBefore));
    });

    it('knows each token that was answered before it began, and each of them works once', async () => {
      for (const chain of resting) {
        // The first was spent before the backup; the second after it, which the backup does not know; the third came later.
        expect(await present(chain)).toEqual(['already used', 'works', 'unknown']);
        expect(await present(chain)).toEqual(['already used', 'already used', 'unknown']);
      }
    });

    it('has each chain that went on meanwhile at one moment of it: spent before, one that works, unknown after', async () => {
      for (const [at, chain] of busy.entries()) {
        const last = summarizeOutcome(await chain.clone().refresh(server!.url));
        expect(last).toBe('unknown');
        const seen = await present(chain);
        const alive = seen.indexOf('works');
        expect(seen).toEqual([
          ...Array(alive).fill('already used'),
          'works',
          ...Array(seen.length - alive - 1).fill('unknown'),
        ]);
        expect(alive).toBeGreaterThanOrEqual(spentBefore[at]!);
        expect(alive).toBeLessThanOrEqual(spentAfter[at]! + 1); // one more may have been on its way
        expect(await present(chain)).not.toContain('works');
      }
    });

    it('goes on: a token from it has successors as ever', async () => {
      const [chain] = await issueChains(restored!, 1);
      const load = new RefreshLoad([chain!], [server!.url]);
      await load.waitForMoreTokens(20);
      expect(await load.stop()).toEqual([expect.objectContaining({ status: 200 })]);
    });
  },
);

function summarizeOutcome(outcome: RefreshOutcome): string {
  if (typeof outcome === 'string') return outcome;
  if (outcome.status === 200) return 'works';
  expect(outcome).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  return /already used/.exec(outcome.body.error_description)?.[0] ?? 'unknown';
}

function sum(counts: number[]): number {
  return counts.reduce((one, other) => one + other, 0);
}
