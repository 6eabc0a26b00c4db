import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from './database.js';
import { PostgresCluster } from './postgres-cluster.js';

const POLL_INTERVAL_MS = 20;

/** A primary and its synchronous standby: the primary confirms a commit when the standby has it. */
export class PostgresPair implements TestDatabase {
  private constructor(
    public primary: PostgresCluster,
    public standby: PostgresCluster,
  ) {}

  static async start(): Promise<PostgresPair> {
    const primary = await PostgresCluster.start();
    const pair = new PostgresPair(primary, await PostgresCluster.startStandby(primary));
    await pair.requireStandby();
    return pair;
  }

  /** The URL with both hosts. */
  get url(): string {
    const hosts = `${this.primary.address},${this.standby.address}`;
    return `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** Promotes the standby, after the primary was killed. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await this.standby.execute('SELECT pg_promote(true)');
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** Builds the killed server again, as the standby of the new primary, at its old address. */
  async rebuildStandby(): Promise<void> {
    const { port } = this.standby;
    await this.standby.drop();
    this.standby = await PostgresCluster.startStandby(this.primary, port);
    await this.requireStandby();
  }

  /** Lets the primary confirm commits without the standby. */
  async releaseCommits(): Promise<void> {
    await this.primary.execute('ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()');
  }

  async drop(): Promise<void> {
    await Promise.all([this.primary.drop(), this.standby.drop()]);
  }

  /** From now on, the primary confirms a commit only when the standby has it. */
  async requireStandby(): Promise<void> {
    await this.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
    const countSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await this.primary.execute(countSynchronous)).length === 0) await sleep(POLL_INTERVAL_MS);
  }
}
