import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MASTER_SECRET = 'a secret of the tests, and of them alone';

/** What a command printed and how it ended. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output, where it is JSON. */
  json: unknown;
}

/** Runs the built command line with `--json` on a database. */
export function runCli(databaseUrl: string, ...words: string[]): Promise<CommandResult> {
  return runNode(['dist/src/cli.js', ...words, '--json'], { DATABASE_URL: databaseUrl, MASTER_SECRET: MASTER_SECRET });
}

/** Runs node with these words and this environment alone. */
export function runNode(words: string[], environment: Record<string, string>): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((done) => {
    execFile(process.execPath, words, { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      done({ code, stdout, stderr, json: parseJson(stdout) });
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The built service, started as an operator does, in a working folder of its own. */
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
      this.outputEvents.emit('news');
    };
    process.stdout!.on('data', read);
    process.stderr!.on('data', read);
    process.once('close', () => {
      this.hasClosed = true;
      this.outputEvents.emit('news');
    });
  }

  /**
   * Starts the service in a folder, and waits until it says where it listens.
   * @param through a command that becomes the one which follows it, such as `nsenter`
   */
  static async start(
    folder: string,
    environment: Record<string, string> = {},
    through: string[] = [],
  ): Promise<ServerProcess> {
    const port = environment['PORT'] ?? String(await findFreePort());
    const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: port, RATE_LIMITS: 'off', ...environment };
    const [program = '', ...words] = [...through, process.execPath, resolve('dist/src/main.js')];
    const child = spawn(program, words, { cwd: folder, env });
    const service = new ServerProcess(child, `http://127.0.0.1:${port}`);
    await service.waitForOutput(/listens at/g);
    return service;
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** What it has printed so far. */
  readonly output = (): string => this.printedOutput;

  /** Waits until it has printed this so many times. @throws Error if it ends before */
  async waitForOutput(pattern: RegExp, times = 1): Promise<RegExpMatchArray[]> {
    for (;;) {
      const found = [...this.printedOutput.matchAll(pattern)];
      if (found.length >= times) return found;
      if (this.hasClosed) throw new Error(`The service ended with ${this.process.exitCode}: ${this.printedOutput}`);
      await once(this.outputEvents, 'news');
    }
  }

  /** Waits until it has ended, and every process that it started too: until then they keep its output open. */
  async waitForClose(): Promise<void> {
    while (!this.hasClosed) await once(this.outputEvents, 'news');
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }
}

export async function createTempFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'street-art-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function findFreePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
