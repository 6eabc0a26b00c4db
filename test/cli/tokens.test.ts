import { beforeAll, describe, expect, it } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import { type KeyObject } from 'node:crypto';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { SigningKeysService } from '../../src/identity/keys/signing-keys.service.js';
import { createAccountArgs, createAppArgs, CliFixture } from '../support/cli.js';
import { computeAtHash } from '../support/jwt.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { TestServer } from '../support/test-server.js';

describe('tokens issue', () => {
  const fixture = CliFixture.use();

  beforeAll(() => fixture.cli.runJson(...createAccountArgs('mila')));

  it('prints valid tokens, with an ID token for openid', async () => {
    const { client_id, client_secret } = await fixture.cli.runJson(...createAppArgs());
    const issue = ['tokens', 'issue', '--app', client_id, '--account', 'mila', '--scope'];
    const tokens = await fixture.cli.runJson(...issue, 'markers:read openid');
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'issuer',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(tokens.issuer).toBe('http://localhost:3000');
    expect(await fixture.cli.runJson(...issue, 'markers:read')).not.toHaveProperty('id_token');
    const server = await TestServer.start({ DATABASE_URL: fixture.database.url, BASE_URL: 'http://localhost:3000' });
    const credentials = { client_id: client_id as string, client_secret: client_secret as string };
    const refreshed = await refreshTokens(server, { credentials }, tokens.refresh_token as string);
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
      acr: '0',
      at_hash: computeAtHash(tokens.access_token as string),
    });
  });

  it('rejects an unregistered scope, a disabled app, and a blocked account', async () => {
    const { client_id } = await fixture.cli.runJson(...createAppArgs());
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
    await fixture.cli.expectFailure(
      1,
      /not registered for the scope edits:write/,
      ...issue('markers:read edits:write'),
    );
    await fixture.cli.expectFailure(1, /not registered for the scope nonsense/, ...issue('nonsense'));
    await fixture.cli.expectFailure(2, /at least one scope/, ...issue(' '));
    await fixture.cli.expectFailure(1, /no account nobody/, ...issue('markers:read', 'nobody'));
    await fixture.cli.expectFailure(1, /no app/, ...issue('markers:read', 'mila', 'app_x'));
    await fixture.cli.runJson('accounts', 'block', 'mila', '--reason', 'A test.');
    await fixture.cli.expectFailure(1, /blocked/, ...issue('markers:read'));
    await fixture.cli.runJson('accounts', 'unblock', 'mila');
    await fixture.cli.runJson('apps', 'disable', client_id);
    await fixture.cli.expectFailure(1, /disabled/, ...issue('markers:read'));
  });
});

function verifyIdToken(token: string, key: KeyObject): unknown {
  return new JwtService({ publicKey: key }).verify(token, { algorithms: ['RS256'] });
}
