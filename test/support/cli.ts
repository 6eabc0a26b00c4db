import { expect } from '@jest/globals';
import { runCli, type CommandResult } from './server-process.js';
import type { ResponseBody } from './test-server.js';

/** The command line on one database. */
export class Cli {
  constructor(private readonly databaseUrl: string) {}

  run(...words: string[]): Promise<CommandResult> {
    return runCli(this.databaseUrl, ...words);
  }

  /** The JSON of a command that must succeed and print nothing else. */
  async runJson(...words: string[]): Promise<ResponseBody> {
    const { code, stderr, json } = await this.run(...words);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
    return json;
  }

  /** One sentence on standard error, nothing on standard output, exit 1. */
  async expectFailure(sentence: RegExp, ...words: string[]): Promise<void> {
    const { code, stdout, stderr } = await this.run(...words);
    expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/node_modules|^ +at /m);
  }
}

/** The words that make an account. */
export function createAccountArgs(username: string, ...more: string[]): string[] {
  const who = ['--username', username, '--email', `${username}@example.org`, '--name', 'A Person'];
  return ['accounts', 'create', ...who, '--password', 'correct horse', ...more];
}

/** The words that register an app. */
export function createAppArgs(...more: string[]): string[] {
  const what = ['--name', 'An App', '--redirect-uri', 'https://app.example.org/callback'];
  return ['apps', 'create', ...what, '--scope', 'markers:read openid', ...more];
}
