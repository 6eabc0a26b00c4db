import type { Type } from '@nestjs/common';
import type { Command } from 'commander';

/** Loads the module with all modules of the service. */
export type LoadAppModule = () => Promise<Type>;

/** Executes a command. @returns the result to print; undefined if the command printed its data */
export type CommandHandler<Options> = (options: Options, ...args: string[]) => Promise<object | undefined>;

/**
 * Connects a command to its handler and adds `--json`. The handler is loaded when the command runs,
 * so that help and usage errors load neither the database nor the modules of the service.
 */
export function runHandler<Options extends object>(
  command: Command,
  loadHandler: () => Promise<CommandHandler<Options>>,
): void {
  command.option('--json', 'print only JSON (default: text)').action(async () => {
    const options = command.opts<Options & { json?: boolean }>();
    const handler = await loadHandler();
    const result = await handler(options, ...command.args);
    if (result) process.stdout.write(`${options.json ? JSON.stringify(result) : formatResult(result)}\n`);
  });
}

/** Formats a result as text: one line per member, an empty line between the records of a list. */
function formatResult(result: object): string {
  if (!Array.isArray(result)) return formatRecord(result);
  return result.length === 0 ? 'none' : result.map((record: object) => formatRecord(record)).join('\n\n');
}

function formatRecord(record: object): string {
  const entries = Object.entries(record);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${formatValue(value)}`).join('\n');
}

function formatValue(value: unknown): string {
  if (value == null) return '-';
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return value.map((record: object) => `\n${formatRecord(record).replace(/^/gm, '  ')}`).join('\n');
  }
  if (Array.isArray(value)) return value.join(', ') || '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
