import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { findFreePort } from './free-port.js';
import { registerOpenResource } from './open-resources.js';
import { TEST_SETTINGS } from './test-settings.js';

/** The built service as a child process, in its own working folder. */
export class ServerProcess {
  private printedOutput = '';
  private hasClosed = false;
  private readonly outputEvents = new EventEmitter();

  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {
    const read = (chunk: Buffer): void => {
      this.printedOutput += chunk.toString();
      this.outputEvents.emit('change');
    };
    process.stdout!.on('data', read);
    process.stderr!.on('data', read);
    const unregister = registerOpenResource(() => this.kill());
    process.once('close', () => {
      unregister();
      this.hasClosed = true;
      this.outputEvents.emit('change');
    });
  }

  /**
   * Starts the service in a folder and waits until it listens.
   * @param commandPrefix a command that executes the rest of its arguments, such as `nsenter`
   * @throws Error if the service ends before it listens
   */
  static async start(
    folder: string,
    environment: Record<string, string> = {},
    commandPrefix: string[] = [],
  ): Promise<ServerProcess> {
    const port = environment['PORT'] ?? String(await findFreePort());
    const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: port, RATE_LIMITS: 'off', ...environment };
    const [program = '', ...args] = [...commandPrefix, process.execPath, resolve('dist/src/main.js')];
    const child = spawn(program, args, { cwd: folder, env });
    const server = new ServerProcess(child, `http://127.0.0.1:${port}`);
    await server.waitForOutput(/listens at/g);
    return server;
  }

  /** Starts the service on a database with the test settings and without demo data. */
  static startOn(
    databaseUrl: string,
    commandPrefix: string[] = [],
    environment: Record<string, string> = {},
  ): Promise<ServerProcess> {
    const settings = { ...TEST_SETTINGS, DATABASE_URL: databaseUrl, DEMO_DATA: 'off', LOG_LEVEL: 'error' };
    return ServerProcess.start(tmpdir(), { ...settings, ...environment }, commandPrefix);
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Returns the output so far. */
  readonly output = (): string => this.printedOutput;

  /**
   * Waits until the output matches a pattern this many times.
   * @throws Error if the process ends first
   */
  async waitForOutput(pattern: RegExp, times = 1): Promise<RegExpMatchArray[]> {
    for (;;) {
      const matches = [...this.printedOutput.matchAll(pattern)];
      if (matches.length >= times) return matches;
      if (this.hasClosed) throw new Error(`The service ended with ${this.process.exitCode}: ${this.printedOutput}`);
      await once(this.outputEvents, 'change');
    }
  }

  /**
   * Waits until the process and the processes that it started have ended; they share its output.
   */
  async waitForClose(): Promise<void> {
    while (!this.hasClosed) await once(this.outputEvents, 'change');
  }

  /**
   * Sends a signal and waits for the end. After SIGTERM, the process waits for idle connections.
   * @returns the exit code
   */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }

  private async kill(): Promise<void> {
    await this.stop('SIGKILL');
    this.process.stdout!.destroy();
    this.process.stderr!.destroy();
  }
}
