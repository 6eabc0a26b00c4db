import { expect, it } from '@jest/globals';
import type { Command, Option } from 'commander';
import { readFile } from 'node:fs/promises';
import { createProgram } from '../../src/app/cli/run-command-line.js';

/** Columns of a line in the document. */
const MAX_LENGTH = 100;

it('docs/commands.md has the synopsis of each command', async () => {
  const program = createProgram(() => Promise.reject(new Error('No command runs here.')), false);
  const [, documented] = /^## Synopsis$.*?^```\n(.*?)^```$/ms.exec(await readFile('docs/commands.md', 'utf8'))!;
  expect(documented).toBe(listCommands(program).map(describeCommand).join(''));
});

/** Returns the commands without subcommands. */
function listCommands(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listCommands);
}

function describeCommand(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  const values = command.registeredArguments.map((argument) => argument.name().toUpperCase());
  // Each command has --json and --help.
  const options = command.options.filter(({ long }) => long !== '--json').map(describeOption);
  let lines = names.join(' ');
  for (const word of [...values, ...options]) {
    const line = lines.slice(lines.lastIndexOf('\n') + 1);
    lines += line.length + 1 + word.length > MAX_LENGTH ? `\n    ${word}` : ` ${word}`;
  }
  return `${lines}\n`;
}

function describeOption({ flags, mandatory, variadic, argChoices }: Option): string {
  const [name = '', value] = flags.split(' ');
  const parts = [name, argChoices?.join('|') ?? value?.replace(/[<>.]/g, '').toUpperCase()];
  const option = parts.filter(Boolean).join(' ') + (variadic ? '…' : '');
  return mandatory ? option : `[${option}]`;
}
