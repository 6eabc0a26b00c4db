import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import { createHash, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { SigningKeys } from '../../src/keys/signing-keys.js';
import { accountWords, appWords, CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { newFolder } from '../support/processes.js';
import { Service } from '../support/service.js';

describe('The command line, for tokens and the map', () => {
  let database: TestDatabase;
  let commands: CommandLine;
  let folder: Awaited<ReturnType<typeof newFolder>>;

  beforeAll(async () => {
    database = await newDatabase();
    commands = new CommandLine(database.url);
    await commands.json(...accountWords('mila'));
    folder = await newFolder();
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  it('tokens issue: a pair that works, with an id token where openid is in it', async () => {
    const { client_id, client_secret } = await commands.json(...appWords());
    const issue = ['tokens', 'issue', '--app', client_id, '--account', 'mila', '--scope'];
    const tokens = await commands.json(...issue, 'markers:read openid');
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(await commands.json(...issue, 'markers:read')).not.toHaveProperty('id_token');
    const service = await Service.start({ DATABASE_URL: database.url, BASE_URL: 'http://localhost:3000' });
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id, client_secret };
    const refreshed = await service.call('POST', '/api/oauth/token', { body });
    const guarded = await service.call('GET', '/api/markers', { token: tokens.access_token });
    const audited = await service.database.findBy(AuditEvent, { type: 'tokens.issued', appId: client_id });
    const key = service.get(SigningKeys).current('RS256');
    await service.stop();
    expect([refreshed.status, guarded.status]).toEqual([200, 200]);
    expect(audited.map(({ detail }) => detail).sort()).toEqual(['markers:read', 'markers:read openid']);
    expect(readIdToken(tokens.id_token, key.publicKey)).toEqual({
      iss: 'http://localhost:3000',
      aud: client_id,
      sub: expect.stringMatching(/^usr_/),
      iat: expect.any(Number),
      exp: expect.any(Number),
      auth_time: expect.any(Number),
      at_hash: createHash('sha256').update(tokens.access_token).digest().subarray(0, 16).toString('base64url'),
    });
  });

  it('tokens issue refuses a scope that the app is not registered for, a disabled app, and a blocked person', async () => {
    const { client_id } = await commands.json(...appWords());
    const issue = (scope: string, username = 'mila', id = client_id as string): string[] => [
      'tokens',
      'issue',
      '--app',
      id,
      '--account',
      username,
      '--scope',
      scope,
    ];
    await commands.expectRefused(/not registered for the scope edits:write/, ...issue('markers:read edits:write'));
    await commands.expectRefused(/not registered for the scope nonsense/, ...issue('nonsense'));
    await commands.expectRefused(/at least one scope/, ...issue(' '));
    await commands.expectRefused(/no account nobody/, ...issue('markers:read', 'nobody'));
    await commands.expectRefused(/no app/, ...issue('markers:read', 'mila', 'app_x'));
    await commands.json('accounts', 'block', 'mila', '--reason', 'A test.');
    await commands.expectRefused(/blocked/, ...issue('markers:read'));
    await commands.json('accounts', 'unblock', 'mila');
    await commands.json('apps', 'disable', client_id);
    await commands.expectRefused(/disabled/, ...issue('markers:read'));
  });

  it('markers import: puts points onto the map, and says which features it passes over', async () => {
    const point = (properties: object, coordinates: unknown = [5, 52], type = 'Point'): object => ({
      type: 'Feature',
      geometry: { type, coordinates },
      properties,
    });
    const features = [
      point({ title: 'Imported', year: 2020, tags: ['fox'] }),
      point({ title: 'A gallery', kind: 'place', placeType: 'gallery' }),
      point({}),
      point({ title: 'On the moon' }, [500, 52]),
      point({ title: 'A line' }, [[1, 2]], 'LineString'),
      point({ title: 'Odd', nonsense: 1 }),
      point({ title: 'By nobody', artistIds: ['art_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
      null,
      point({ title: 'Odd kind', kind: 'banana' }),
      point({ title: 'Half a place', kind: 'artwork', placeType: 'gallery' }),
      point({ title: 'Words' }, ['5', '52']),
      { ...point({}), properties: 'words' },
    ];
    const file = join(folder.path, 'markers.geojson');
    await writeFile(file, `\uFEFF${JSON.stringify({ type: 'FeatureCollection', features })}`);
    const { code, json: printed, stderr } = await commands.run('markers', 'import', file);
    expect({ code, printed }).toEqual({ code: 0, printed: { imported: 2, skipped: 10 } });
    for (const number of [3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(stderr).toMatch(new RegExp(`Feature ${number} was passed over`));
    await writeFile(file, '{"type":"Feature"}');
    await commands.expectRefused(/FeatureCollection/, 'markers', 'import', file);
    await writeFile(file, '{');
    await commands.expectRefused(/not JSON/, 'markers', 'import', file);
    await commands.expectRefused(/no such file/, 'markers', 'import', join(folder.path, 'nothing'));
  });
});

function readIdToken(token: string, key: KeyObject): unknown {
  return new JwtService({ publicKey: key }).verify(token, { algorithms: ['RS256'] });
}
