import { expect } from '@jest/globals';
import { cli, type Ran } from './processes.js';
import type { Body } from './service.js';

/** The command line on one database. */
export class CommandLine {
  constructor(private readonly databaseUrl: string) {}

  run(...words: string[]): Promise<Ran> {
    return cli(this.databaseUrl, ...words);
  }

  /** The JSON of a command that must succeed and print nothing else. */
  async json(...words: string[]): Promise<Body> {
    const { code, stderr, json } = await this.run(...words);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
    return json;
  }

  /** One sentence on standard error, nothing on standard output, exit 1. */
  async expectRefused(sentence: RegExp, ...words: string[]): Promise<void> {
    const { code, stdout, stderr } = await this.run(...words);
    expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/node_modules|^ +at /m);
  }
}

/** The words that make an account. */
export function accountWords(username: string, ...more: string[]): string[] {
  const who = ['--username', username, '--email', `${username}@example.org`, '--name', 'A Person'];
  return ['accounts', 'create', ...who, '--password', 'correct horse', ...more];
}

/** The words that register an app. */
export function appWords(...more: string[]): string[] {
  const what = ['--name', 'An App', '--redirect-uri', 'https://app.example.org/callback'];
  return ['apps', 'create', ...what, '--scope', 'markers:read openid', ...more];
}
