import { afterAll, beforeAll, expect } from '@jest/globals';
import { createDatabase, type TestDatabase } from './database.js';
import { runCli, type CommandResult } from './run-command.js';
import { createTempFolder, type TempFolder } from './temp-folder.js';
import type { ResponseBody } from './test-server.js';

/** The command line on one database. */
export class Cli {
  constructor(private readonly databaseUrl: string) {}

  run(...args: string[]): Promise<CommandResult> {
    return runCli(this.databaseUrl, ...args);
  }

  /** Runs a command that must succeed and write nothing to standard error. @returns its JSON */
  async runJson(...args: string[]): Promise<ResponseBody> {
    const { code, stderr, json } = await this.run(...args);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return json;
  }

  /**
   * Expects this exit code, the error as JSON on standard error and an empty standard output.
   * @returns the code of the error
   */
  async expectFailure(exitCode: 1 | 2 | 3, sentence: RegExp, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    expect({ args, code, stdout, stderr }).toEqual({
      args,
      code: exitCode,
      stdout: '',
      stderr: expect.stringMatching(/^\{.*\}\n$/),
    });
    const failure = JSON.parse(stderr) as { error: string; code: string };
    expect(failure).toEqual({ error: expect.stringMatching(sentence), code: expect.stringMatching(/^[a-z_]+$/) });
    expect(failure.error).not.toMatch(/node_modules|\n/);
    return failure.code;
  }
}

/**
 * An empty database with its command line, and a temporary folder; registers the hooks that create
 * and remove them.
 */
export class CliFixture {
  database!: TestDatabase;
  cli!: Cli;
  folder!: TempFolder;

  static use(): CliFixture {
    const fixture = new CliFixture();
    beforeAll(async () => {
      [fixture.database, fixture.folder] = await Promise.all([createDatabase(), createTempFolder()]);
      fixture.cli = new Cli(fixture.database.url);
    });
    afterAll(async () => {
      await fixture.database.drop();
      await fixture.folder.remove();
    });
    return fixture;
  }
}

/** Returns the arguments that create an account. */
export function createAccountArgs(username: string, ...overrides: string[]): string[] {
  const fields = ['--username', username, '--email', `${username}@example.org`, '--name', 'A Person'];
  return ['accounts', 'create', ...fields, '--password', 'correct horse', ...overrides];
}

let appSequence = 0;

/** Returns the arguments that register an app with a new name. */
export function createAppArgs(...overrides: string[]): string[] {
  const fields = ['--name', `App ${++appSequence}`, '--redirect-uri', 'https://app.example.org/callback'];
  return ['apps', 'create', ...fields, '--scope', 'markers:read openid', ...overrides];
}
