import { createClient } from '@redis/client';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { findFreePort } from './free-port.js';
import { registerOpenResource } from './open-resources.js';

/** A Redis server without a file, which a test can kill, suspend and restart. */
export class RedisServer {
  private process!: ChildProcess;
  private readonly unregister = registerOpenResource(() => this.kill());

  private constructor(
    private readonly port: number,
    private readonly password: string,
  ) {}

  static async start({ password = '' } = {}): Promise<RedisServer> {
    const server = new RedisServer(await findFreePort(), password);
    await server.restart();
    return server;
  }

  /** Its address, with the password or another one. */
  url(password = this.password): string {
    return `redis://${password && `:${password}@`}127.0.0.1:${this.port}`;
  }

  /** Starts the server without data, and waits until it accepts connections. */
  async restart(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    if (this.password) options.push('--requirepass', this.password);
    this.process = spawn('redis-server', options, { cwd: tmpdir() });
    let output = '';
    while (!output.includes('Ready to accept connections')) {
      const [chunk] = (await once(this.process.stdout!, 'data')) as [Buffer];
      output += chunk.toString();
    }
    this.process.stdout!.resume();
  }

  /** Kills the server. It loses its data. */
  async kill(): Promise<void> {
    this.unregister();
    if (this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  /** Suspends the server: it accepts connections and does not respond. */
  suspend(): void {
    this.process.kill('SIGSTOP');
  }

  resume(): void {
    this.process.kill('SIGCONT');
  }

  /** Runs one command. */
  async send(...command: string[]): Promise<unknown> {
    const client = createClient({ url: this.url() });
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }
}
