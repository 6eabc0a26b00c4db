import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
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
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    /** What it has printed so far. */
    readonly output: () => string,
  ) {}

  /** Starts the service in a folder, and waits until it says where it listens. */
  static async in(folder: string, environment: Record<string, string> = {}): Promise<StartedService> {
    const port = environment['PORT'] ?? String(await freePort());
    const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: port, ...environment };
    const child = spawn(process.execPath, [resolve('dist/src/main.js')], { cwd: folder, env });
    let output = '';
    const listening = new Promise<void>((started, failed) => {
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        if (output.includes('listens at')) started();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => failed(new Error(`The service ended with ${code}: ${output}`)));
    });
    await listening;
    return new StartedService(child, `http://127.0.0.1:${port}`, () => output);
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
