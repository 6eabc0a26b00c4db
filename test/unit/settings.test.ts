import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/config/settings.js';

const SECRET = { MASTER_SECRET: 'a secret of the tests, and of them alone' };

describe('The settings', () => {
  it("have defaults, of which the lifetimes are the spec's (spec §8)", () => {
    expect(readSettings(SECRET)).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      BASE_URL: 'http://localhost:3000',
      DATABASE_URL: 'sqlite:data/street-art.sqlite',
      ACCESS_TOKEN_LIFETIME: 3600,
      REFRESH_TOKEN_LIFETIME: 30 * 24 * 3600,
      REFRESH_TOKEN_REUSE: 'reject',
      DEMO_DATA: 'auto',
      LOG_LEVEL: 'info',
    });
  });

  it('take the port into the base address, and an empty one as unset', () => {
    expect(readSettings({ ...SECRET, PORT: '8080', HOST: '' })).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      BASE_URL: 'http://localhost:8080',
    });
  });

  it('take several master secrets', () => {
    const two = { MASTER_SECRET: 'the new secret 0123, the old secret 4567' };
    expect(readSettings(two).MASTER_SECRET).toEqual(['the new secret 0123', 'the old secret 4567']);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', 'http'],
    ['PORT', '1.5'],
    ['BASE_URL', 'map.example.org'],
    ['BASE_URL', 'https://map.example.org/'],
    ['BASE_URL', 'https://map.example.org?x'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'sqlite:'],
    ['MASTER_SECRET', 'short'],
    ['MASTER_SECRET', 'a secret of the tests, and of them alone,short'],
    ['ACCESS_TOKEN_LIFETIME', '0'],
    ['REFRESH_TOKEN_LIFETIME', '30d'],
    ['REFRESH_TOKEN_REUSE', 'ignore'],
    ['DEMO_DATA', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
  ])('stop the service with the name and what it takes: %s=%s', (name, value) => {
    expect(() => readSettings({ ...SECRET, [name]: value })).toThrow(new RegExp(`^${name} takes `));
  });

  it('name every bad one at once', () => {
    expect(() => readSettings({ ...SECRET, PORT: 'x', LOG_LEVEL: 'x' })).toThrow(/PORT takes .*\nLOG_LEVEL takes /);
  });
});
