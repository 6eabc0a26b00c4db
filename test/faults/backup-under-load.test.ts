import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type Backups, POSTGRES_BACKUPS, SQLITE_BACKUPS } from '../support/backups.js';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains, type Outcome } from '../support/chains.js';
import { newSqliteDatabase, type TestDatabase } from '../support/database.js';
import { Load } from '../support/load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { newFolder, type StartedService } from '../support/processes.js';
import { Service } from '../support/service.js';
import { newStaleTokens } from '../support/stale-tokens.js';

const CHAINS = 8;

/** So much is stored besides that SQLite copies it in many steps, between which others write. */
const [STALE_CHAINS, STALE_TOKENS] = [500, 100];

const KINDS: [name: string, newDatabase: () => Promise<TestDatabase>, backups: Backups][] = [
  ['SQLite', newSqliteDatabase, SQLITE_BACKUPS],
  ['PostgreSQL', (): Promise<TestDatabase> => PostgresCluster.start(), POSTGRES_BACKUPS],
];

describe.each(KINDS)(
  'A backup of %s that was taken under load, and restored',
  (_, newDatabase, { backUp, restore }) => {
    let database: TestDatabase;
    let folder: Awaited<ReturnType<typeof newFolder>>;
    let busy: Chain[];
    let resting: Chain[];
    let restored: TestDatabase | undefined;
    let service: StartedService | undefined;
    /** How many tokens of each busy chain were spent, as its client knew when the backup began and when it was done. */
    let spentBefore: number[];
    let spentAfter: number[];

    beforeAll(async () => {
      [database, folder] = await Promise.all([newDatabase(), newFolder()]);
      const filling = await Service.start({ DATABASE_URL: database.url });
      await newStaleTokens(filling, STALE_CHAINS, STALE_TOKENS);
      await filling.stop();
      const chains = await newChains(database, 2 * CHAINS);
      [busy, resting] = [chains.slice(0, CHAINS), chains.slice(CHAINS)];
      const original = await startBuilt(database.url);
      for (const chain of resting) await chain.refresh(original.url);
      const load = new Load(busy, [original.url]);
      await load.answeredMore(100);
      const file = join(folder.path, 'backup');
      spentBefore = busy.map(({ spent }) => spent.length);
      await backUp(database.url, file);
      spentAfter = busy.map(({ spent }) => spent.length);
      await load.answeredMore(100);
      expect(await load.stop()).toEqual(busy.map(() => expect.objectContaining({ status: 200 })));
      for (const chain of resting) await chain.refresh(original.url);
      await original.stop();
      restored = await restore(database.url, file);
      service = await startBuilt(restored.url);
    });
    afterAll(async () => {
      await service?.stop();
      await restored?.drop();
      await database.drop();
      await folder.remove();
    });

    /** What the restored service says of each token that the client of a chain ever had. */
    const present = async (chain: Chain): Promise<string[]> => {
      const seen: string[] = [];
      for (const token of [...chain.spent, chain.newest]) seen.push(inShort(await chain.present(service!.url, token)));
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
        const last = inShort(await chain.twin().refresh(service!.url));
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
      const [chain] = await newChains(restored!, 1);
      const load = new Load([chain!], [service!.url]);
      await load.answeredMore(20);
      expect(await load.stop()).toEqual([expect.objectContaining({ status: 200 })]);
    });
  },
);

function inShort(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome;
  if (outcome.status === 200) return 'works';
  expect(outcome).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  return /already used/.exec(outcome.body.error_description)?.[0] ?? 'unknown';
}

function sum(counts: number[]): number {
  return counts.reduce((one, other) => one + other, 0);
}
