import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import { createHash, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { SigningKeysService } from '../../src/identity/keys/signing-keys.service.js';
import { createAccountArgs, createAppArgs, Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createTempFolder } from '../support/server-process.js';
import { TestServer } from '../support/test-server.js';

describe('The command line, for tokens and the map', () => {
  let database: TestDatabase;
  let commands: Cli;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;

  beforeAll(async () => {
    database = await createDatabase();
    commands = new Cli(database.url);
    await commands.runJson(...createAccountArgs('mila'));
    folder = await createTempFolder();
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  it('tokens issue: a pair that works, with an id token where openid is in it', async () => {
    const { client_id, client_secret } = await commands.runJson(...createAppArgs());
    const issue = ['tokens', 'issue', '--app', client_id, '--account', 'mila', '--scope'];
    const tokens = await commands.runJson(...issue, 'markers:read openid');
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(await commands.runJson(...issue, 'markers:read')).not.toHaveProperty('id_token');
    const server = await TestServer.start({ DATABASE_URL: database.url, BASE_URL: 'http://localhost:3000' });
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id, client_secret };
    const refreshed = await server.request('POST', '/api/oauth/token', { body });
    const guarded = await server.request('GET', '/api/markers', { token: tokens.access_token });
    const audited = await server.entityManager.findBy(AuditEvent, { type: 'tokens.issued', appId: client_id });
    const key = server.get(SigningKeysService).getSigningKey('RS256');
    await server.stop();
    expect([refreshed.status, guarded.status]).toEqual([200, 200]);
    expect(audited.map(({ detail }) => detail).sort()).toEqual(['markers:read', 'markers:read openid']);
    expect(verifyIdToken(tokens.id_token, key.publicKey)).toEqual({
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
    const { client_id } = await commands.runJson(...createAppArgs());
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
    await commands.expectFailure(/not registered for the scope edits:write/, ...issue('markers:read edits:write'));
    await commands.expectFailure(/not registered for the scope nonsense/, ...issue('nonsense'));
    await commands.expectFailure(/at least one scope/, ...issue(' '));
    await commands.expectFailure(/no account nobody/, ...issue('markers:read', 'nobody'));
    await commands.expectFailure(/no app/, ...issue('markers:read', 'mila', 'app_x'));
    await commands.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
    await commands.expectFailure(/blocked/, ...issue('markers:read'));
    await commands.runJson('accounts', 'unblock', 'mila');
    await commands.runJson('apps', 'disable', client_id);
    await commands.expectFailure(/disabled/, ...issue('markers:read'));
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
    await commands.expectFailure(/FeatureCollection/, 'markers', 'import', file);
    await writeFile(file, '{');
    await commands.expectFailure(/not JSON/, 'markers', 'import', file);
    await commands.expectFailure(/no such file/, 'markers', 'import', join(folder.path, 'nothing'));
  });
});

function verifyIdToken(token: string, key: KeyObject): unknown {
  return new JwtService({ publicKey: key }).verify(token, { algorithms: ['RS256'] });
}
