import { jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { AppModule } from '../../src/app.module.js';
import { runCommandLine } from '../../src/app/cli/run-command-line.js';
import { TEST_SETTINGS } from './test-settings.js';

/** Milliseconds after which a command is killed, so that it never outlives its test. */
const COMMAND_TIMEOUT_MS = 50_000;

/** The output and the exit code of a command. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output, parsed, if it is JSON. */
  json: unknown;
}

/** Runs the command line with `--json` on a database. */
export function runCli(databaseUrl: string, ...args: string[]): Promise<CommandResult> {
  return runCliWithInput(databaseUrl, '', ...args);
}

let lastCommand: Promise<unknown> = Promise.resolve();

/**
 * Does the same as `runCli`, with a text on standard input. Commands run in the process of the
 * test, one after the other, because a process takes two seconds to start.
 */
export function runCliWithInput(databaseUrl: string, input: string, ...args: string[]): Promise<CommandResult> {
  const command = lastCommand.then(() => runInThisProcess([...args, '--json'], databaseUrl, input));
  lastCommand = command.catch(() => undefined);
  return command;
}

/** The texts that the commands in this process print. */
const outputs = new AsyncLocalStorage<{ stdout: string; stderr: string }>();

async function runInThisProcess(args: string[], databaseUrl: string, input: string): Promise<CommandResult> {
  const { env } = process;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const restore = [capture('stdout'), capture('stderr')];
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([input]) });
  process.env = { DATABASE_URL: databaseUrl, NODE_ENV: 'test', MASTER_SECRET: TEST_SETTINGS.MASTER_SECRET };
  const output = { stdout: '', stderr: '' };
  try {
    const code = await outputs.run(output, () => runCommandLine(args, () => Promise.resolve(AppModule)));
    return { code, ...output, json: parseJson(output.stdout) };
  } finally {
    process.env = env;
    Object.defineProperty(process, 'stdin', stdin);
    restore.forEach((restoreStream) => restoreStream());
  }
}

/** Collects what a command writes to a stream. @returns a function that ends it */
function capture(name: 'stdout' | 'stderr'): () => void {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  const { isTTY } = stream;
  stream.isTTY = false;
  const spy = jest.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
    const output = outputs.getStore();
    if (!output) return write(...args);
    output[name] += String(args[0]);
    return true;
  });
  return () => {
    spy.mockRestore();
    stream.isTTY = isTTY;
  };
}

/**
 * Runs Node.js with these arguments; the process gets `PATH` and this environment only.
 * @param options.input the text on standard input
 * @param options.timeoutMs milliseconds after which the process is killed
 */
export function runNode(
  args: string[],
  environment: Record<string, string>,
  { input = '', timeoutMs = COMMAND_TIMEOUT_MS }: { input?: string; timeoutMs?: number } = {},
): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], ...environment };
  const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, stdout, stderr, json: parseJson(stdout) });
    });
    // A command that does not read may have ended.
    child.stdin!.on('error', () => undefined).end(input);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
