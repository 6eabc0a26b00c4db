import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SECRET = 'a secret of the tests, and of them alone';

/** What a command printed and how it ended. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output, where it is JSON. */
  json: unknown;
}

/** Runs the built command line with `--json` on a database. */
export function cli(databaseUrl: string, ...words: string[]): Promise<Ran> {
  return execute(['dist/src/cli.js', ...words, '--json'], { DATABASE_URL: databaseUrl, MASTER_SECRET: SECRET });
}

/** Runs node with these words and this environment alone. */
export function execute(words: string[], environment: Record<string, string>): Promise<Ran> {
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((done) => {
    execFile(process.execPath, words, { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      done({ code, stdout, stderr, json: parsed(stdout) });
    });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The built service, started as an operator does, in a working folder of its own. */
export class StartedService {
  private printed = '';
  private ended = false;
  private readonly news = new EventEmitter();

  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {
    const read = (chunk: Buffer): void => {
      this.printed += chunk.toString();
      this.news.emit('news');
    };
    process.stdout!.on('data', read);
    process.stderr!.on('data', read);
    process.once('close', () => {
      this.ended = true;
      this.news.emit('news');
    });
  }

  /**
   * Starts the service in a folder, and waits until it says where it listens.
   * @param through a command that becomes the one which follows it, such as `nsenter`
   */
  static async in(
    folder: string,
    environment: Record<string, string> = {},
    through: string[] = [],
  ): Promise<StartedService> {
    const port = environment['PORT'] ?? String(await freePort());
    const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: port, RATE_LIMITS: 'off', ...environment };
    const [program = '', ...words] = [...through, process.execPath, resolve('dist/src/main.js')];
    const child = spawn(program, words, { cwd: folder, env });
    const service = new StartedService(child, `http://127.0.0.1:${port}`);
    await service.prints(/listens at/g);
    return service;
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** What it has printed so far. */
  readonly output = (): string => this.printed;

  /** Waits until it has printed this so many times. @throws Error if it ends before */
  async prints(pattern: RegExp, times = 1): Promise<RegExpMatchArray[]> {
    for (;;) {
      const found = [...this.printed.matchAll(pattern)];
      if (found.length >= times) return found;
      if (this.ended) throw new Error(`The service ended with ${this.process.exitCode}: ${this.printed}`);
      await once(this.news, 'news');
    }
  }

  /** Waits until it has ended, and every process that it started too: until then they keep its output open. */
  async isGone(): Promise<void> {
    while (!this.ended) await once(this.news, 'news');
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }
}

export async function newFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'street-art-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
