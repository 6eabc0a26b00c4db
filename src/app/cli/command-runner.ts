import type { Command } from 'commander';
import { formatResult } from './format-result.js';

/** Executes a command. @returns the result to print */
export type CommandHandler<Options> = (options: Options, ...args: string[]) => Promise<object>;

/**
 * Connects a command to its handler and adds `--json`. The handler is loaded when the command runs,
 * so that help and usage errors load neither the database nor the modules of the service.
 */
export function withHandler<Options extends object>(
  command: Command,
  loadHandler: () => Promise<CommandHandler<Options>>,
): Command {
  return command.option('--json', 'print only JSON (default: text)').action(async () => {
    const options = command.opts<Options & { json?: boolean }>();
    const handler = await loadHandler();
    const result = await handler(options, ...command.args);
    process.stdout.write(`${options.json ? JSON.stringify(result) : formatResult(result)}\n`);
  });
}
