import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import type { TestResponse } from '../support/test-server.js';

const API = 'https://map.example.org/api';
const MCP = 'https://map.example.org/mcp';
const UNKNOWN = [
  'https://map.example.org',
  'https://map.example.org/api/',
  'https://map.example.org/API',
  'http://map.example.org/api',
  'https://evil.example/mcp',
  '/mcp',
  'mcp',
];

describe('Parameter resource (RFC 8707)', () => {
  const fixture = OAuthFixture.use();

  /** Requests authorization with these resources. @returns the code and its verifier */
  const obtainCode = async (...resources: string[]): Promise<{ code: string; codeVerifier: string }> => {
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app);
    const query = resources.map((resource) => `&resource=${encodeURIComponent(resource)}`).join('');
    const { code } = parseRedirectParams(await grantConsent(fixture.browser, path + query));
    return { code: code!, codeVerifier };
  };
  const exchange = ({ code, codeVerifier }: { code: string; codeVerifier: string }, resource?: string) =>
    fixture.exchangeCode(code, codeVerifier, { resource });
  const expectAudience = ({ status, body }: TestResponse, audience: string): string => {
    expect(status).toBe(200);
    expect(decodeJwt(body.access_token as string).aud).toBe(audience);
    return body.refresh_token as string;
  };
  const expectInvalidTarget = ({ status, body, headers }: TestResponse, description: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_target' });
    expect(body.error_description).toMatch(description);
    expect(headers.get('cache-control')).toBe('no-store');
  };

  it.each<[asked: string[], sent: string | undefined, audience: string]>([
    [[], undefined, API],
    [[], API, API],
    [[API], undefined, API],
    [[MCP], MCP, MCP],
    [[MCP], undefined, MCP],
    [[MCP, API], undefined, API],
    [[MCP, API], MCP, MCP],
    [[MCP, MCP], MCP, MCP],
    [['', MCP], MCP, MCP],
  ])('with %j at the authorization endpoint and %j at the token endpoint', async (asked, sent, audience) => {
    expectAudience(await exchange(await obtainCode(...asked), sent), audience);
  });

  it('lets a refresh choose among the resources of the authorization request', async () => {
    let token = expectAudience(await exchange(await obtainCode(API, MCP), MCP), MCP);
    for (const [resource, audience] of [
      [undefined, API],
      [MCP, MCP],
      [API, API],
    ] as const)
      token = expectAudience(await fixture.refreshTokens(token, { resource }), audience);
  });

  it('keeps a code and a refresh token valid after a resource that was not requested', async () => {
    const code = await obtainCode();
    expectInvalidTarget(await exchange(code, MCP), /did not name this resource/);
    const token = expectAudience(await exchange(code), API);
    expectInvalidTarget(await fixture.refreshTokens(token, { resource: MCP }), /did not name this resource/);
    expectAudience(await fixture.refreshTokens(token), API);
  });

  it('keeps a code and a refresh token valid after an unknown resource', async () => {
    const code = await obtainCode(MCP);
    for (const resource of UNKNOWN) expectInvalidTarget(await exchange(code, resource), /resource must be/);
    const token = expectAudience(await exchange(code, MCP), MCP);
    for (const resource of UNKNOWN)
      expectInvalidTarget(await fixture.refreshTokens(token, { resource }), /resource must be/);
    expectAudience(await fixture.refreshTokens(token), MCP);
  });

  it('rejects two resources at the token endpoint, and keeps the code valid', async () => {
    const code = await obtainCode(API, MCP);
    const { status, body } = await fixture.exchangeCode(code.code, code.codeVerifier, { resource: [API, MCP] });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
    expectAudience(await exchange(code), API);
  });

  it('does not repeat the response of a key for another resource', async () => {
    const headers = { 'Idempotency-Key': '0b7c3a1e-7d57-4b5f-8f3c-0b3e3f6f3a10' };
    const token = expectAudience(await exchange(await obtainCode(API, MCP)), API);
    const first = await fixture.refreshTokens(token, { resource: MCP }, headers);
    expectAudience(first, MCP);
    expect((await fixture.refreshTokens(token, { resource: API }, headers)).body.error).toBe('invalid_grant');
    expect((await fixture.refreshTokens(token, { resource: MCP }, headers)).body).toEqual(first.body);
  });

  it.each(UNKNOWN)('rejects the authorization request for %s, and lists the failed call', async (resource) => {
    const { error, error_description } = parseRedirectParams(await fixture.authorize({ resource }));
    expect({ error, error_description }).toEqual({
      error: 'invalid_target',
      error_description: `resource must be ${API} or ${MCP}.`,
    });
    const [call] = await fixture.server.get(FailedCallsService).list(fixture.app.app.id);
    expect(call).toMatchObject({
      endpoint: 'GET /api/oauth/authorize',
      errorCode: 'invalid_target',
      accepted: { source: 'supported', values: [API, MCP] },
      sentValues: [{ value: resource }],
    });
  });

  it('lists a failed token request', async () => {
    await exchange(await obtainCode(), 'https://map.example.org/map');
    const [call] = await fixture.server.get(FailedCallsService).list(fixture.app.app.id);
    expect(call).toMatchObject({
      endpoint: 'POST /api/oauth/token',
      errorCode: 'invalid_target',
      accepted: { source: 'supported', values: [API, MCP] },
      sentValues: [{ value: 'https://map.example.org/map' }],
    });
  });

  it('makes an access token that the API rejects if it is for the MCP server', async () => {
    const { body } = await exchange(await obtainCode(MCP), MCP);
    const token = body.access_token as string;
    for (const path of ['/api/markers', '/api/oauth/userinfo', '/api/collections/col_01JDEM00000000000000000010']) {
      const response = await fixture.server.request('GET', path, { token });
      expect({ status: response.status, body: response.body }).toEqual({
        status: 401,
        body: {
          code: 'token_invalid',
          error: `The access token is for ${MCP}, not for ${API}. Request a token with the resource ${API}.`,
        },
      });
      expect(response.headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
    }
  });
});
