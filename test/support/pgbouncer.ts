import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from './free-port.js';
import { registerOpenResource } from './open-resources.js';
import { buildSpawnOptions } from './postgres-cluster.js';
import { createTempFolder, type TempFolder } from './temp-folder.js';

/** The program; on Debian it is not in the `PATH` of all users. */
const PGBOUNCER = '/usr/sbin/pgbouncer';

/** A PgBouncer in transaction mode in front of a PostgreSQL server. */
export class PgBouncer {
  private readonly unregister = registerOpenResource(() => this.stop());

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: TempFolder,
    private readonly port: number,
  ) {}

  /**
   * Starts PgBouncer, which asks for a password.
   * @param databaseUrl the server behind it
   * @param settings of the section `pgbouncer`
   */
  static async start(databaseUrl: string, settings: Record<string, string> = {}): Promise<PgBouncer> {
    const [folder, port] = await Promise.all([createTempFolder(), findFreePort()]);
    const [users, file] = ['users.txt', 'pgbouncer.ini'].map((name) => join(folder.path, name)) as [string, string];
    const options = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      pool_mode: 'transaction',
      default_pool_size: 8,
      auth_type: 'scram-sha-256',
      auth_file: users,
      ...settings,
    };
    const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
    const { hostname, port: databasePort } = new URL(databaseUrl);
    await chmod(folder.path, 0o755);
    await writeFile(users, '"postgres" "p@ss word"\n');
    await writeFile(file, `[databases]\n* = host=${hostname} port=${databasePort}\n[pgbouncer]\n${lines.join('\n')}\n`);
    const process = spawn(PGBOUNCER, [file], { ...buildSpawnOptions(), stdio: ['ignore', 'ignore', 'pipe'] });
    const bouncer = new PgBouncer(process, folder, port);
    await bouncer.waitUntilReady();
    return bouncer;
  }

  get url(): string {
    return this.buildUrl();
  }

  /** @param parameters of the URL, such as `sslmode` */
  buildUrl(parameters: Record<string, string> = {}): string {
    const query = new URLSearchParams(parameters).toString();
    return `postgres://postgres:p%40ss%20word@127.0.0.1:${this.port}/postgres${query && `?${query}`}`;
  }

  async stop(): Promise<void> {
    this.unregister();
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGKILL');
      await ended;
    }
    await this.folder.remove();
  }

  private async waitUntilReady(): Promise<void> {
    let output = '';
    await new Promise<void>((ready, failed) => {
      this.process.stderr!.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('process up')) ready();
      });
      this.process.once('exit', () => failed(new Error(`PgBouncer ended: ${output}`)));
      this.process.once('error', failed);
    });
  }
}
