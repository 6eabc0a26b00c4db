import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { KeyRotation } from '../../src/keys/key-rotation.js';
import { SigningKey } from '../../src/keys/signing-key.entity.js';
import { jwtHeader } from '../support/clients.js';
import { CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { newToken } from '../support/factories.js';
import { type Body, Service } from '../support/service.js';
import { backToNow, DAY, later, SECOND } from '../support/time.js';

const HOUR = 3600 * SECOND;

describe('Signing keys that are replaced', () => {
  let database: TestDatabase;
  let service: Service;
  let rotation: KeyRotation;

  beforeEach(async () => {
    database = await newDatabase();
    service = await Service.start({ DATABASE_URL: database.url });
    rotation = service.get(KeyRotation);
  });
  afterEach(async () => {
    backToNow();
    await service.stop();
    await database.drop();
  });

  const kids = async (): Promise<string[]> =>
    (await service.database.find(SigningKey, { order: { createdAt: 'ASC', kid: 'ASC' } })).map(({ kid }) => kid);
  const published = async (): Promise<string[]> =>
    (await service.call('GET', '/api/oauth/jwks')).body.keys.map(({ kid }: Body) => kid);
  const statusOf = async (token: string): Promise<number> =>
    (await service.call('GET', '/api/markers', { token })).status;
  /** A token that was signed with another key than the ones given. */
  const tokenOfAnother = async (known: string[]): Promise<string> => {
    for (;;) {
      const token = await newToken(service);
      if (!known.includes(jwtHeader(token).kid)) return token;
    }
  };
  const events = async (type: AuditEvent['type']): Promise<string[]> =>
    (await service.database.findBy(AuditEvent, { type })).map(({ detail }) => detail!);

  it('by keys rotate are one of each algorithm, which it prints and the audit keeps', async () => {
    const before = await kids();
    const made: Body[] = await new CommandLine(database.url).json('keys', 'rotate');
    expect(made.map(({ algorithm }) => algorithm).sort()).toEqual(['ES256', 'RS256']);
    expect(Object.keys(made[0])).toEqual(['kid', 'algorithm', 'created_at']);
    expect((await kids()).sort()).toEqual([...before, ...made.map(({ kid }) => kid)].sort());
    expect(await events('keys.rotated')).toEqual([made.map(({ algorithm, kid }) => `${algorithm} ${kid}`).join(', ')]);
  });

  it('are published before they sign, and what the old ones signed stays good', async () => {
    const [before, token] = [await kids(), await newToken(service)];
    await rotation.rotate();
    const after = await tokenOfAnother(before);
    expect((await published()).sort()).toEqual((await kids()).sort());
    expect([await statusOf(token), await statusOf(after)]).toEqual([200, 200]);
  });

  it('stay until the last token of the old ones has run out, and then go', async () => {
    const before = await kids();
    const made = await rotation.rotate();
    later(HOUR);
    await rotation.lookAfter();
    expect(await kids()).toHaveLength(4);
    later(HOUR + SECOND);
    await rotation.lookAfter();
    expect((await kids()).sort()).toEqual(made.map(({ kid }) => kid).sort());
    const [retired] = await events('keys.retired');
    for (const kid of before) expect(retired).toContain(kid);
  });

  it('stay for longer where access tokens live longer', async () => {
    await service.stop();
    service = await Service.start({ DATABASE_URL: database.url, ACCESS_TOKEN_LIFETIME: '86400' });
    await service.get(KeyRotation).rotate();
    later(DAY);
    await service.get(KeyRotation).lookAfter();
    expect(await kids()).toHaveLength(4);
    later(HOUR + SECOND);
    await service.get(KeyRotation).lookAfter();
    expect(await kids()).toHaveLength(2);
  });

  it('are replaced by themselves after ninety days, not before, and old ones are not taken away in the same moment', async () => {
    const before = await kids();
    later(90 * DAY - HOUR);
    await rotation.lookAfter();
    expect(await kids()).toEqual(before);
    later(HOUR + SECOND);
    await rotation.lookAfter();
    expect(await kids()).toHaveLength(4);
    await rotation.lookAfter();
    expect(await kids()).toEqual(expect.arrayContaining(before));
  });

  it('are sealed again under a new MASTER_SECRET when it stands before the old one, which is then not needed', async () => {
    const [secret] = service.settings.MASTER_SECRET;
    const token = await newToken(service);
    const start = async (MASTER_SECRET: string): Promise<Service> => {
      await service.stop();
      return (service = await Service.start({ DATABASE_URL: database.url, MASTER_SECRET }));
    };
    await start(`${secret},quite another secret`);
    await expect(start('quite another secret')).rejects.toThrow(/MASTER_SECRET does not open/);
    await start(`quite another secret,${secret}`);
    await start('quite another secret');
    expect(await statusOf(token)).toBe(200);
    await expect(start(secret!)).rejects.toThrow(/MASTER_SECRET does not open/);
  });
});
