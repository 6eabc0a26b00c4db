import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { listSetSettings, listSettingNames } from '../support/setting-names.js';

/** Settings that the image or `deploy/nginx.conf` fixes. */
const FIXED_SETTINGS = ['BUILD_COMMIT', 'HOST', 'NODE_ENV', 'PORT'];

/** Settings that contain a secret, and stand in files only. */
const SECRET_SETTINGS = ['DATABASE_URL', 'MASTER_SECRET', 'REDIS_URL', 'SMTP_URL'];

interface ComposeService {
  environment?: Record<string, string>;
  secrets?: string[];
  [option: string]: unknown;
}

const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
};
const services = Object.entries(compose.services);

describe('compose.yaml', () => {
  it.each(['map-1', 'map-2'])('passes every setting to %s', (name) => {
    const passed = listSetSettings(Object.keys(compose.services[name]!.environment!));
    expect([...passed, ...FIXED_SETTINGS].sort()).toEqual(listSettingNames().sort());
  });

  it('passes a setting with its own name', () => {
    for (const [name, value] of Object.entries(compose.services['map-1']!.environment!))
      expect({ name, value }).toEqual({
        name,
        value: expect.stringMatching(new RegExp(`^(\\$\\{${name}:[-?+]|/run/secrets/)`)),
      });
  });

  it('has secrets in files only', () => {
    for (const [, { environment = {}, secrets = [] }] of services) {
      const names = Object.keys(environment);
      expect(names.filter((name) => SECRET_SETTINGS.includes(name) || /PASSWORD$/.test(name))).toEqual([]);
      const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
      const mounted = files.map(([, path]) => /\/run\/secrets\/(\w+)\}?$/.exec(path)?.[1]);
      expect(mounted.sort()).toEqual([...secrets].sort());
    }
    const used = services.flatMap(([, { secrets = [] }]) => secrets);
    expect(Object.keys(compose.secrets).sort()).toEqual([...new Set(used)].sort());
  });

  it.each(services)('runs %s with a read-only root and without capabilities', (name, service) => {
    expect({ name, ...service }).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.tmpfs).toBeDefined();
    expect(service.privileged).toBeUndefined();
    if (name !== 'proxy') expect(service.cap_add).toBeUndefined();
  });
});
