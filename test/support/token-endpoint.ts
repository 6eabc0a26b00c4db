import type { TestApp } from './factories.js';
import { type TestResponse, type TestServer, sendRequest } from './test-server.js';

type Server = Pick<TestServer, 'url'>;
type Credentials = Pick<TestApp, 'credentials'>;

/**
 * Sends a refresh request (RFC 6749 §6).
 * @param fields more fields of the body; `undefined` removes one
 */
export function refreshTokens(
  server: Server,
  { credentials }: Credentials,
  refreshToken: string,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentials, ...fields };
  return sendRequest(server.url, 'POST', '/api/oauth/token', { body, headers });
}

/** Sends a revocation request (RFC 7009 §2.1). */
export function revokeToken(server: Server, { credentials }: Credentials, token: string): Promise<TestResponse> {
  return sendRequest(server.url, 'POST', '/api/oauth/revoke', { body: { token, ...credentials } });
}

/** Returns the value of an `Authorization` header with Basic credentials (RFC 6749 §2.3.1). */
export function basicAuthorization({ client_id, client_secret }: TestApp['credentials']): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
}
