import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { KeyRotation } from '../../src/keys/key-rotation.js';
import { SigningKey } from '../../src/keys/signing-key.entity.js';
import { IdTokens } from '../../src/openid/id-tokens.js';
import { jwtHeader } from '../support/clients.js';
import { CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { newAccount, newApp, newToken } from '../support/factories.js';
import { newFolder, StartedService } from '../support/processes.js';
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

  it('sign id tokens when apps have had the time to fetch them', async () => {
    const before = await kids();
    const made = await rotation.rotate();
    const { app } = await newApp(service);
    const account = await newAccount(service);
    const idToken = (): string =>
      service.get(IdTokens).sign({ account, app, authTime: new Date(), accessToken: 'any' });
    await tokenOfAnother(before);
    expect(before).toContain(jwtHeader(idToken()).kid);
    later(600 * SECOND);
    expect(made.map(({ kid }) => kid)).toContain(jwtHeader(idToken()).kid);
  });

  it('by keys rotate --now take the place of those before at once, and no token that these signed is good', async () => {
    const token = await newToken(service);
    const made: Body[] = await new CommandLine(database.url).json('keys', 'rotate', '--now');
    expect((await kids()).sort()).toEqual(made.map(({ kid }) => kid).sort());
    while ((await statusOf(token)) !== 401);
    expect(await statusOf(await newToken(service))).toBe(200);
    expect(await events('keys.retired')).toHaveLength(1);
  });

  it('are sealed again under a new MASTER_SECRET when it stands before the old one, which is then not needed', async () => {
    const old = service.settings.MASTER_SECRET[0]!;
    const token = await newToken(service);
    const startWith = (MASTER_SECRET: string): Promise<Service> =>
      Service.start({ DATABASE_URL: database.url, MASTER_SECRET });
    await expect(startWith('quite another secret')).rejects.toThrow(/MASTER_SECRET does not open/);

    const folder = await newFolder();
    const environment = { DATABASE_URL: database.url, DEMO_DATA: 'off' };
    const restarted = await StartedService.in(folder.path, {
      ...environment,
      MASTER_SECRET: `quite another secret,${old}`,
    });
    await restarted.prints(/Sealed 2 signing keys under the first MASTER_SECRET/g);
    await restarted.stop();
    await folder.remove();

    const after = await startWith('quite another secret');
    expect((await after.call('GET', '/api/markers', { token })).status).toBe(200);
    await after.stop();
    await expect(startWith(old)).rejects.toThrow(/MASTER_SECRET does not open/);
  });
});
