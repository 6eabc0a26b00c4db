import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

/**
 * Reads a password of one line from standard input. A terminal shows a prompt, and does not show
 * the password.
 * @throws Error if the input has several lines
 */
export async function readPassword(): Promise<string> {
  const input = process.stdin.isTTY ? await readFromTerminal() : await text(process.stdin);
  const password = input.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw new Error('The password on standard input must be one line.');
  return password;
}

async function readFromTerminal(): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  process.stderr.write('Password: ');
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
