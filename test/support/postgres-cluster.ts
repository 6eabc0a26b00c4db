import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestDatabase } from './database.js';
import { findPostgres } from './find-postgres.js';
import { findFreePort } from './free-port.js';

/** PostgreSQL and PgBouncer reject root; this is the user `nobody` on Linux. */
export const NOBODY_UID = 65534;

const READY_MESSAGE = /database system is ready to accept (read-only )?connections/;

/** A PostgreSQL server that a test can kill, suspend and restart on its data. */
export class PostgresCluster implements TestDatabase {
  private server!: ChildProcess;
  /** The process ids of the server and its children when it was last suspended. */
  private suspendedPids: number[] = [];

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly commandPrefix: string[],
  ) {}

  /** @param commandPrefix starts the server, for example in a mount namespace; it needs root */
  static start(commandPrefix: string[] = []): Promise<PostgresCluster> {
    const args = ['-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--data-checksums', '--no-sync'];
    return PostgresCluster.create('initdb', args, undefined, commandPrefix);
  }

  /**
   * Starts a standby that replicates a primary.
   * @param port the port of the standby; by default a free one
   */
  static startStandby(primary: PostgresCluster, port?: number): Promise<PostgresCluster> {
    const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
    const args = [...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    return PostgresCluster.create('pg_basebackup', args, port);
  }

  /** @param program writes the data folder */
  private static async create(
    program: string,
    args: string[],
    port?: number,
    commandPrefix: string[] = [],
  ): Promise<PostgresCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'street-art-postgres-'));
    if (isRoot()) await chown(folder, NOBODY_UID, NOBODY_UID);
    await promisify(execFile)(join(findPostgres(), program), ['-D', folder, ...args], buildSpawnOptions());
    const cluster = new PostgresCluster(folder, port ?? (await findFreePort()), commandPrefix);
    await cluster.restart();
    return cluster;
  }

  get isRunning(): boolean {
    return this.server.exitCode === null && this.server.signalCode === null;
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `postgres://postgres@${this.address}/postgres`;
  }

  /** Executes statements, and returns the rows of the last one. */
  async execute<Row extends pg.QueryResultRow>(...statements: string[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const statement of statements) ({ rows } = await client.query<Row>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Kills all processes at the same moment, so that none can clean up. */
  async kill(): Promise<void> {
    const ended = once(this.server, 'exit');
    await this.suspend();
    this.signalAll('SIGKILL');
    await ended;
  }

  /** Suspends the server: it accepts connections and does not respond. */
  async suspend(): Promise<void> {
    const pid = this.server.pid!;
    process.kill(pid, 'SIGSTOP'); // first, so that it starts no child
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    // The server is last: while it is stopped, it reaps no ended child, so each pid stays valid.
    this.suspendedPids = [...children.trim().split(' ').map(Number), pid];
    this.signalAll('SIGSTOP');
  }

  /** Resumes a suspended server. */
  resume(): void {
    this.signalAll('SIGCONT');
  }

  /** Starts a killed server in recovery, as a standby that waits for its promotion. */
  async restartInRecovery(): Promise<void> {
    await writeFile(join(this.folder, 'standby.signal'), '');
    await this.restart();
  }

  /** Starts the server, and waits until it accepts connections. */
  async restart(): Promise<void> {
    const args = ['-D', this.folder, '-h', '127.0.0.1', '-p', String(this.port), '-k', ''];
    const [program = '', ...programArgs] = [...this.commandPrefix, join(findPostgres(), 'postgres'), ...args];
    const server = spawn(program, programArgs, {
      ...(this.commandPrefix.length === 0 ? buildSpawnOptions() : { cwd: tmpdir() }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    await new Promise<void>((ready, failed) => {
      server.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (READY_MESSAGE.test(output)) ready();
      });
      server.once('exit', () => failed(new Error(`PostgreSQL ended: ${output}`)));
    });
    this.server = server;
  }

  async drop(): Promise<void> {
    if (this.isRunning) await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  private signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.suspendedPids) process.kill(pid, signal);
  }
}

/** Returns the options of a process that must not run as root. */
export function buildSpawnOptions(): { cwd: string; uid?: number; gid?: number } {
  return { cwd: tmpdir(), ...(isRoot() && { uid: NOBODY_UID, gid: NOBODY_UID }) };
}

/** Whether the tests run as root, so that servers need another user. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
