import { execFile } from 'node:child_process';
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

/** Runs the built command line with `--json` on a database. */
export function runCli(databaseUrl: string, ...args: string[]): Promise<CommandResult> {
  return runCliWithInput(databaseUrl, '', ...args);
}

/** Does the same as `runCli`, with a text on standard input. */
export function runCliWithInput(databaseUrl: string, input: string, ...args: string[]): Promise<CommandResult> {
  const { MASTER_SECRET } = TEST_SETTINGS;
  const environment = { DATABASE_URL: databaseUrl, MASTER_SECRET };
  return runNode(['dist/src/cli.js', ...args, '--json'], environment, COMMAND_TIMEOUT_MS, input);
}

/**
 * Runs Node.js with these arguments; the process gets `PATH` and this environment only.
 * @param timeoutMs milliseconds after which the process is killed
 * @param input the text on standard input
 */
export function runNode(
  args: string[],
  environment: Record<string, string>,
  timeoutMs = COMMAND_TIMEOUT_MS,
  input = '',
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
