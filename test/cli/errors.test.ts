import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccountArgs, createAppArgs, CliFixture } from '../support/cli.js';

const USAGE_HINT = 'Run the command with --help to see its arguments and options.';

/** Wrong arguments, and the exact text on standard error. */
const CASES: [args: string[], message: string][] = [
  [['nonsense'], `error: unknown command 'nonsense'\n${USAGE_HINT}`],
  [['accounts', 'show'], `error: missing required argument 'username'\n${USAGE_HINT}`],
  [['apps', 'list', '--all'], `error: unknown option '--all'\n${USAGE_HINT}`],
  [['accounts', 'show', 'nobody'], 'There is no account nobody. The command accounts list shows all accounts.'],
  [['accounts', 'block', 'mila'], `error: required option '--reason <sentence>' not specified\n${USAGE_HINT}`],
  [createAppArgs('--owner', 'nobody'), 'There is no account nobody. The command accounts list shows all accounts.'],
  [['apps', 'enable', 'app_x'], 'There is no app app_x. The command apps list shows all apps.'],
  [['accounts', 'block', 'mila', '--reason', ' '], '--reason must not be empty: the person sees it.'],
  [
    createAccountArgs('not a name', '--password', '', '--picture', 'x', '--name', '\u200b', '--email', 'x'),
    '--username must have 1 to 39 letters, digits, dots, hyphens or underscores, and start with a letter or digit.\n' +
      '--name must have 1 to 100 visible characters.\n' +
      '--email must be an e-mail address, such as name@example.org.\n' +
      'The password must not be empty.\n' +
      '--picture must be a URL that starts with https://.',
  ],
  [
    createAccountArgs('other', '--name', 'x'.repeat(101), '--password', 'x'.repeat(1001)),
    '--name must have 1 to 100 visible characters.\nThe password must have at most 200 characters.',
  ],
  [createAccountArgs('MILA', '--email', 'new@example.org'), '--username must be unique: this username is taken.'],
  [
    createAccountArgs('other', '--email', 'mila@example.org'),
    '--email must be unique: another account has this e-mail address.',
  ],
  [
    createAccountArgs('other', '--role', 'king'),
    `error: option '--role <role>' argument 'king' is invalid. Allowed choices are member, trusted, moderator.\n${USAGE_HINT}`,
  ],
  [
    createAccountArgs('other', '--region', 'Atlantis'),
    'There is no region Atlantis. The command regions list shows all regions.',
  ],
  [
    createAppArgs(
      ...['--name', 'a\nb', '--description', 'x'.repeat(501), '--home-page', 'http://app.example.org'],
      ...['--privacy-policy', 'app.example.org/privacy', '--terms', 'javascript:alert(1)'],
    ),
    '--name must have 1 to 100 visible characters.\n' +
      '--description must have at most 500 visible characters.\n' +
      '--home-page must be a URL that starts with https://.\n' +
      '--privacy-policy must be a URL that starts with https://.\n' +
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

describe('An error of a command', () => {
  const fixture = CliFixture.use();
  let clientId: string;

  beforeAll(async () => {
    await fixture.cli.runJson(...createAccountArgs('mila'));
    clientId = (await fixture.cli.runJson(...createAppArgs('--name', 'Stair Walk'))).client_id as string;
  });

  /** Expects exit code 1, exactly this text on standard error, and an empty standard output. */
  const expectError = async (args: string[], message: string): Promise<void> => {
    const { code, stdout, stderr } = await fixture.cli.run(...args);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
  };

  it.each(CASES)('names the option, the rule and the fix: %j', expectError);

  it('names the scope or the state that prevents a token', async () => {
    const args = ['tokens', 'issue', '--app', clientId, '--account', 'mila', '--scope'];
    await expectError(
      [...args, 'email'],
      '--scope must name scopes of the app: Stair Walk is not registered for the scope email.',
    );
    await expectError([...args, ''], '--scope must name at least one scope.');
    await fixture.cli.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
    await expectError([...args, 'openid'], 'The account mila is blocked. To unblock it, run accounts unblock mila.');
    await fixture.cli.runJson('apps', 'disable', clientId);
    await expectError(
      [...args, 'openid'],
      `The app Stair Walk is disabled. To enable it, run apps enable ${clientId}.`,
    );
  });

  it('names the file that cannot be imported', async () => {
    const file = join(fixture.folder.path, 'markers.geojson');
    await expectError(
      ['markers', 'import', file],
      `The file ${file} cannot be read: ENOENT: no such file or directory, open '${file}'.`,
    );
    await writeFile(file, '{"type":"Feature"}');
    await fixture.cli.expectFailure(/^The file must be a GeoJSON FeatureCollection\.\n$/m, 'markers', 'import', file);
  });
});
