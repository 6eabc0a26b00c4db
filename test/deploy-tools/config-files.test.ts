import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { runTool } from '../support/deploy-tools.js';
import { findFreePort } from '../support/free-port.js';
import { findPostgres } from '../support/find-postgres.js';
import { createCertificate, writeNginxConfig } from '../support/nginx-config.js';
import { listPanelExpressions } from '../support/prometheus-files.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

/** The highest exposure of the unit, in tenths, that `systemd-analyze security` may report. */
const MAX_EXPOSURE = 20;

describe('The files in deploy', () => {
  let folder: TempFolder;

  beforeAll(async () => {
    folder = await createTempFolder();
  });
  afterAll(() => folder.remove());

  /** Writes a changed copy of a file into the folder. @returns its path */
  async function writeCopy(file: string, name: string, replacements: [string, string][]): Promise<string> {
    const text = await readFile(file, 'utf8');
    for (const [configured] of replacements) expect(text).toContain(configured);
    const copy = join(folder.path, name);
    await writeFile(
      copy,
      replacements.reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
    );
    return copy;
  }

  it.each(['deploy/nginx.conf', 'deploy/nginx-tls.conf'])('%s is valid for nginx', async (file) => {
    const ports = { http: await findFreePort(), tls: await findFreePort() };
    const options = await writeNginxConfig(folder.path, file, ports);
    expect(await runTool('nginx', ...options, '-t')).toContain('test is successful');
  });

  it('haproxy.cfg is valid for HAProxy', async () => {
    expect(await runTool('haproxy', '-c', '-f', 'deploy/haproxy.cfg')).toContain('Configuration file is valid');
  });

  it('haproxy-http.cfg is valid for HAProxy', async () => {
    await createCertificate(folder.path);
    const certificate = join(folder.path, 'certificate.pem');
    const parts = ['fullchain.pem', 'privkey.pem'].map((name) => readFile(join(folder.path, name), 'utf8'));
    await writeFile(certificate, (await Promise.all(parts)).join(''));
    const file = await writeCopy('deploy/haproxy-http.cfg', 'haproxy-http.cfg', [
      ['/etc/ssl/street-art-map.pem', certificate],
    ]);
    expect(await runTool('haproxy', '-c', '-f', file)).toContain('Configuration file is valid');
  });

  it('patroni.yml is valid for Patroni', async () => {
    const copy = await writeCopy('deploy/patroni.yml', 'patroni.yml', [
      ['/usr/lib/postgresql/17/bin', findPostgres()],
      ['/var/lib/postgresql/17/main', join(folder.path, 'main')],
      ['0.0.0.0:5432', `127.0.0.1:${await findFreePort()}`],
      ['0.0.0.0:8008', `127.0.0.1:${await findFreePort()}`],
    ]);
    expect((await runTool('patroni', '--validate-config', copy)).trim()).toBe('');
  });

  it('street-art-map.service is valid for systemd, and has few privileges', async () => {
    const unit = await writeCopy('deploy/street-art-map.service', 'street-art-map.service', [
      ['/usr/bin/node', process.execPath],
    ]);
    expect((await runTool('systemd-analyze', 'verify', unit)).trim()).toBe('');
    await runTool('systemd-analyze', 'security', '--offline=yes', `--threshold=${MAX_EXPOSURE}`, '--no-pager', unit);
  });

  it('the alert rules are valid for Prometheus, and pass their unit tests', async () => {
    expect(await runTool('promtool', 'check', 'rules', 'deploy/prometheus/alerts.yml')).toContain('SUCCESS');
    expect(await runTool('promtool', 'test', 'rules', 'deploy/prometheus/alerts.test.yml')).toContain('SUCCESS');
  });

  it('the expressions of the dashboard are valid for Prometheus', async () => {
    const rules = listPanelExpressions().map((expr, index) => ({ record: `panel:${index}`, expr }));
    const file = join(folder.path, 'dashboard-rules.yml');
    await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(await runTool('promtool', 'check', 'rules', file)).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});
