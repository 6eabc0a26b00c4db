import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeNpmRegistry } from '../support/fake-npm-registry.js';
import { runNode, type CommandResult } from '../support/run-command.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const ADVISORY_ID = 'GHSA-aaaa-bbbb-cccc';
const ADVISORY_URL = `https://github.com/advisories/${ADVISORY_ID}`;

describe('Dependency audit', () => {
  let registry: FakeNpmRegistry;
  let folder: TempFolder;

  beforeAll(async () => {
    [registry, folder] = await Promise.all([FakeNpmRegistry.start(), createTempFolder()]);
    const own = { name: 'own', version: '1.0.0', dependencies: { leaky: '1.0.0' } };
    const packages = { '': own, 'node_modules/leaky': { version: '1.0.0' } };
    await writeFile(join(folder.path, 'package.json'), JSON.stringify(own));
    const lock = { name: 'own', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
    await writeFile(join(folder.path, 'package-lock.json'), JSON.stringify(lock));
  });
  afterAll(async () => {
    await registry.stop();
    await folder.remove();
  });
  beforeEach(() => allow());

  const allow = (...entries: object[]): Promise<void> =>
    writeFile(join(folder.path, 'allowed.json'), JSON.stringify(entries));

  let audits = 0;

  /** Runs the audit with npm against the fake registry. */
  const audit = (from = registry.url): Promise<CommandResult> => {
    const args = ['.ci/audit.js', '--allowed', join(folder.path, 'allowed.json'), folder.path];
    return runNode(args, {
      HOME: folder.path,
      NO_PROXY: '127.0.0.1',
      npm_config_registry: from,
      npm_config_cache: join(folder.path, `cache${++audits}`), // npm caches advisories
      npm_config_fetch_retries: '0',
    });
  };

  it.each(['high', 'critical'] as const)('fails for a %s advisory, and names it', async (severity) => {
    registry.advisories = [{ severity, url: ADVISORY_URL }];
    const { code, stdout } = await audit();
    expect(stdout).toContain(`${severity}: leaky: Leaks ${ADVISORY_URL}`);
    expect(code).toBe(1);
  });

  it('passes without a severe advisory, and reports the audit', async () => {
    registry.advisories = [{ severity: 'moderate', url: ADVISORY_URL }];
    const { code, stdout, stderr } = await audit();
    expect(stdout).toMatch(/: audited, 1 packages: 0 high or critical advisories\.\n$/);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('distinguishes a registry without an audit endpoint and an unreachable one from a clean result', async () => {
    registry.advisories = undefined;
    const rejection = await audit();
    expect(rejection.stderr).toMatch(/NOT AUDITED, the registry has no audit endpoint: 405/);
    const away = await audit('http://127.0.0.1:1/');
    expect(away.stderr).toMatch(/NOT AUDITED, the registry did not respond: .*ECONNREFUSED/);
    for (const { code, stdout } of [rejection, away]) expect([code, stdout]).toEqual([2, '']);
  });

  it('passes with an allowed advisory and its reason until the allowance ends', async () => {
    registry.advisories = [{ severity: 'critical', url: ADVISORY_URL }];
    await allow({ advisory: ADVISORY_ID, reason: 'We never call it.', until: '2999-12-31' });
    expect(await audit()).toMatchObject({ code: 0, stdout: expect.stringContaining('We never call it.') });
    await allow({ advisory: ADVISORY_ID, reason: 'We never call it.', until: '2020-12-31' });
    expect(await audit()).toMatchObject({ code: 1, stdout: expect.stringContaining('counts again') });
    await allow({ advisory: ADVISORY_ID, until: '2999-12-31' });
    expect(await audit()).toMatchObject({ code: 1, stderr: expect.stringContaining('takes an advisory, a reason') });
  });

  it('has no allowance today', async () => {
    expect(JSON.parse(await readFile('.ci/audit-allowed.json', 'utf8'))).toEqual([]);
  });
});
