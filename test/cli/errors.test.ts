import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccountArgs, createAppArgs, Cli, CliFixture } from '../support/cli.js';
import { runNode } from '../support/run-command.js';

const USAGE_HINT = 'Run the command with --help to see its arguments and options.';

/** Arguments that can be rejected without the database, and the exact message of the error. */
const WRONG_USAGE: [args: string[], message: string][] = [
  [['nonsense'], `Unknown command 'nonsense'. ${USAGE_HINT}`],
  [['accounts', 'show'], `Missing required argument 'username'. ${USAGE_HINT}`],
  [['apps', 'list', '--all'], `Unknown option '--all'. ${USAGE_HINT}`],
  [['accounts', 'block', 'mila'], `Required option '--reason <sentence>' not specified. ${USAGE_HINT}`],
  [['accounts', 'block', 'mila', '--reason', ' '], '--reason must not be empty: the person sees it.'],
  [
    createAccountArgs('not a name', '--password', '', '--picture', 'x', '--name', '\u200b', '--email', 'x'),
    '--username must have 1 to 39 letters, digits, dots, hyphens or underscores, and start with a letter or digit. ' +
      '--name must have 1 to 100 visible characters. ' +
      '--email must be an e-mail address, such as name@example.org. ' +
      'The password must not be empty. ' +
      '--picture must be a URL that starts with https://.',
  ],
  [
    createAccountArgs('other', '--name', 'x'.repeat(101), '--password', 'x'.repeat(1001)),
    '--name must have 1 to 100 visible characters. The password must have at most 200 characters.',
  ],
  [
    createAccountArgs('other', '--role', 'king'),
    `Option '--role <role>' argument 'king' is invalid. Allowed choices are member, trusted, moderator. ${USAGE_HINT}`,
  ],
  [
    createAppArgs(
      ...['--name', 'a\nb', '--description', 'x'.repeat(501), '--home-page', 'http://app.example.org'],
      ...['--privacy-policy', 'app.example.org/privacy', '--terms', 'javascript:alert(1)'],
    ),
    '--name must have 1 to 100 visible characters. ' +
      '--description must have at most 500 visible characters. ' +
      '--home-page must be a URL that starts with https://. ' +
      '--privacy-policy must be a URL that starts with https://. ' +
      '--terms must be a URL that starts with https://.',
  ],
  [
    createAppArgs('--redirect-uri', 'nonsense'),
    '--redirect-uri must be an absolute URI such as https://example.org/callback, not nonsense.',
  ],
  [
    createAppArgs('--redirect-uri', 'https://app.example.org/#x'),
    '--redirect-uri must not contain a fragment: remove # and the text after it from https://app.example.org/#x.',
  ],
  [
    createAppArgs('--redirect-uri', 'https://me@app.example.org/'),
    '--redirect-uri must not contain a username or password. Remove them.',
  ],
  [
    createAppArgs('--redirect-uri', 'https://app.example.org/\u202ex'),
    '--redirect-uri must not contain a space or an invisible character. Remove it from https://app.example.org/\ufffdx.',
  ],
  [
    createAppArgs('--redirect-uri', 'https://a..b/'),
    '--redirect-uri must not have an extra dot in its host name. Remove it from https://a..b/.',
  ],
  [
    createAppArgs('--redirect-uri', 'https://0x7f.1/'),
    '--redirect-uri must have the form that browsers send: enter https://127.0.0.1/ instead of https://0x7f.1/.',
  ],
  [
    createAppArgs('--post-logout-redirect-uri', 'http://app.example.org/'),
    '--post-logout-redirect-uri must use https, not http://app.example.org/. Only 127.0.0.1, [::1] and localhost can use http.',
  ],
  [
    createAppArgs('--redirect-uri', 'javascript:alert(1)'),
    '--redirect-uri must use https or a reversed domain name as its scheme, such as org.example.app:/callback, not javascript:alert(1).',
  ],
  [
    createAppArgs('--redirect-uri', `https://app.example.org/${'x'.repeat(500)}`),
    '--redirect-uri can be given at most 20 times, with at most 500 characters each.',
  ],
  [createAppArgs('--scope', ''), '--scope must name at least one scope.'],
  [
    createAppArgs('--scope', 'markers:read nonsense'),
    '--scope and --required-scope must name existing scopes: the scope nonsense does not exist.',
  ],
  [createAppArgs('--required-scope', 'email'), '--required-scope must name scopes of --scope: add email to --scope.'],
  [
    ['apps', 'rotate-secret', 'app_x', '--keep-old', '31d'],
    '--keep-old must be a duration from 1s to 30d, such as 24h.',
  ],
  [
    ['audit', '--since', 'yesterday'],
    '--since must be a date, such as 2026-11-21 or 2026-11-21T08:00Z, or an age, such as 24h or 7d.',
  ],
  [['audit', '--limit', '0'], '--limit must be a number from 1 to 99999.'],
  [['demo', '--scale', 'many'], '--scale must be a number of markers from 1 to 99999999, such as 100000.'],
  [
    ['regions', 'create', '--name', 'Nowhere', '--bbox', '1,3,2,2'],
    '--bbox must be four numbers west,south,east,north in degrees, with south below north.',
  ],
  [['regions', 'create', '--name', ' ', '--bbox', '1,1,2,2'], '--name must have 1 to 100 visible characters.'],
];

/** Arguments that the database rejects, and the code and the exact message of the error. */
const REFUSED: [args: string[], code: string, message: string][] = [
  [
    ['accounts', 'show', 'nobody'],
    'account_not_found',
    'There is no account nobody. The command accounts list shows all accounts.',
  ],
  [
    createAppArgs('--owner', 'nobody'),
    'account_not_found',
    'There is no account nobody. The command accounts list shows all accounts.',
  ],
  [['apps', 'enable', 'app_x'], 'app_not_found', 'There is no app app_x. The command apps list shows all apps.'],
  [
    createAccountArgs('MILA', '--email', 'new@example.org'),
    'username_taken',
    '--username must be unique: this username is taken.',
  ],
  [
    createAccountArgs('other', '--email', 'mila@example.org'),
    'email_taken',
    '--email must be unique: another account has this e-mail address.',
  ],
  [createAppArgs('--name', 'Stair Walk'), 'name_taken', '--name must not look like the name of another app.'],
  [
    createAccountArgs('other', '--role', 'trusted', '--region', 'Atlantis'),
    'region_not_found',
    'There is no region Atlantis. The command regions list shows all regions.',
  ],
];

/** Databases that do not answer, and the start of the message of the error. */
const UNREACHABLE: [databaseUrl: string, message: RegExp][] = [
  ['postgres://map:hidden-value@127.0.0.1:1/map', /^No connection to the database of DATABASE_URL at 127.0.0.1:1: /],
  ['sqlite:package.json/map.sqlite', /^The SQLite file package.json\/map.sqlite cannot be created: /],
  ['sqlite:test', /unable to open database file/],
];

describe('An error of a command', () => {
  const fixture = CliFixture.use();
  let clientId: string;

  beforeAll(async () => {
    await fixture.cli.runJson(...createAccountArgs('mila'));
    clientId = (await fixture.cli.runJson(...createAppArgs('--name', 'Stair Walk'))).client_id as string;
  });

  const expectError = async (args: string[], exitCode: number, code: string, error: string): Promise<void> => {
    const { code: actualExitCode, stdout, stderr } = await fixture.cli.run(...args);
    const failure = { exitCode: actualExitCode, stdout, ...(JSON.parse(stderr) as object) };
    expect(failure).toEqual({ exitCode, stdout: '', error, code });
  };

  it.each(WRONG_USAGE)('names the option, the rule and the fix: %j', (args, message) =>
    expectError(args, 2, 'wrong_usage', message),
  );

  it.each(REFUSED)('says why the command is refused: %j', (args, code, message) => expectError(args, 1, code, message));

  it.each(UNREACHABLE)('has its own exit code if the database is unreachable: %s', async (url, message) => {
    const cli = new Cli(url);
    expect(await cli.expectFailure(3, message, 'apps', 'list')).toBe('database_unavailable');
    for (const [args] of WRONG_USAGE) expect(await cli.expectFailure(2, /./, ...args)).toBe('wrong_usage');
  });

  it('has one line for each invalid value without --json', async () => {
    const args = ['accounts', 'create', '--username', ' ', '--email', 'x', '--name', 'Mila', '--password', 'x'];
    const { code, stderr } = await runNode(['dist/src/cli.js', ...args], {});
    expect({ code, lines: stderr.split('\n') }).toEqual({
      code: 2,
      lines: [expect.stringMatching(/^--username must /), expect.stringMatching(/^--email must /), ''],
    });
  });

  it('names the scope or the state that prevents a token', async () => {
    const args = ['tokens', 'issue', '--app', clientId, '--account', 'mila', '--scope'];
    await expectError(
      [...args, 'email'],
      1,
      'refused',
      '--scope must name scopes of the app: Stair Walk is not registered for the scope email.',
    );
    await expectError([...args, ''], 2, 'wrong_usage', '--scope must name at least one scope.');
    await fixture.cli.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
    const blocked = 'The account mila is blocked. To unblock it, run accounts unblock mila.';
    await expectError([...args, 'openid'], 1, 'refused', blocked);
    await fixture.cli.runJson('apps', 'disable', clientId);
    await expectError(
      [...args, 'openid'],
      1,
      'refused',
      `The app Stair Walk is disabled. To enable it, run apps enable ${clientId}.`,
    );
  });

  it('names the file that cannot be imported', async () => {
    const file = join(fixture.folder.path, 'markers.geojson');
    await expectError(
      ['markers', 'import', file],
      1,
      'refused',
      `The file ${file} cannot be read: ENOENT: no such file or directory, stat '${file}'.`,
    );
    await writeFile(file, '{"type":"Feature"}');
    await fixture.cli.expectFailure(1, /^The file must be a GeoJSON FeatureCollection\.$/, 'markers', 'import', file);
  });
});
