import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { createMarker, registerApp } from '../support/factories.js';
import { MetadataHost } from '../support/metadata-host.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { ResponseBody, TestServer } from '../support/test-server.js';

/** The state of an assistant between its requests, as the SDK asks for it. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { client_name: 'Assistant', redirect_uris: [REDIRECT_URI] };
  /** Whether `tokens` leaves out the refresh token, so that the SDK asks the person for more. */
  setsRefreshTokenAside = false;
  authorizationUrl: URL | undefined;
  saved: OAuthTokens | undefined;
  private verifier = '';

  /** @param clientMetadataUrl for an assistant without registration */
  constructor(
    private information: OAuthClientInformationMixed | undefined,
    readonly clientMetadataUrl?: string,
  ) {}

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.information;
  }
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }
  tokens(): OAuthTokens | undefined {
    if (!this.saved || !this.setsRefreshTokenAside) return this.saved;
    const { refresh_token: _, ...rest } = this.saved;
    return rest;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }
}

describe('The client of the MCP SDK', () => {
  let server: TestServer;
  let url: URL;

  beforeAll(async () => {
    server = await startIssuer();
    url = new URL(`${server.settings.BASE_URL}/mcp`);
  });
  afterAll(() => server.stop());

  /** Connects a client that has the tokens of the assistant. */
  async function connect(assistant: Assistant): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
    const client = new Client({ name: 'assistant', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(url, { authProvider: assistant });
    await client.connect(transport);
    return { client, transport };
  }

  it('gets from the address alone to a written collection, by asking the person twice', async () => {
    const { credentials } = await registerApp(server, { redirectUris: [REDIRECT_URI] });
    const assistant = new Assistant(credentials);
    const person = await ResourceOwner.create(server);
    const marker = await createMarker(server, { title: 'Quiet Fox' });

    const unauthorized = new StreamableHTTPClientTransport(url, { authProvider: assistant });
    await expect(new Client({ name: 'a', version: '1' }).connect(unauthorized)).rejects.toThrow(UnauthorizedError);
    expect(assistant.authorizationUrl!.searchParams.get('scope')).toBe('markers:read');
    expect(assistant.authorizationUrl!.searchParams.get('resource')).toBe(url.href);
    const redirect = await person.signInAndGrantConsent(assistant.authorizationUrl!);
    await unauthorized.finishAuth(redirect.searchParams.get('code')!);
    expect(decodeJwt(assistant.saved!.access_token)).toMatchObject({ aud: url.href, scope: 'markers:read' });

    const { client, transport } = await connect(assistant);
    const found = (await client.callTool({ name: 'search_artworks', arguments: { q: 'fox' } })).structuredContent;
    expect((found as ResponseBody).data[0].id).toBe(marker.id);

    const create = { name: 'create_collection', arguments: { name: 'Foxes', idempotencyKey: 'foxes' } };
    assistant.setsRefreshTokenAside = true;
    await expect(client.callTool(create)).rejects.toThrow(UnauthorizedError);
    expect(assistant.authorizationUrl!.searchParams.get('scope')).toBe('markers:read collections:write');
    const second = await person.grantConsent(assistant.authorizationUrl!);
    await transport.finishAuth(second.searchParams.get('code')!);
    const created = (await client.callTool(create)).structuredContent as ResponseBody;
    expect(created).toMatchObject({ name: 'Foxes', version: 1 });
    const items = { id: created.id, items: [{ markerId: marker.id }] };
    const added = await client.callTool({ name: 'add_to_collection', arguments: items });
    expect(added.structuredContent).toMatchObject({ notFound: [], collection: { version: 2 } });
    await client.close();
  });

  it('gives up a step-up while it has a refresh token, because a refresh gives no new scopes', async () => {
    const { credentials } = await registerApp(server, { redirectUris: [REDIRECT_URI] });
    const assistant = new Assistant(credentials);
    const person = await ResourceOwner.create(server);
    const unauthorized = new StreamableHTTPClientTransport(url, { authProvider: assistant });
    await expect(new Client({ name: 'a', version: '1' }).connect(unauthorized)).rejects.toThrow(UnauthorizedError);
    const redirect = await person.signInAndGrantConsent(assistant.authorizationUrl!);
    await unauthorized.finishAuth(redirect.searchParams.get('code')!);
    const { client } = await connect(assistant);
    const create = { name: 'create_collection', arguments: { name: 'Foxes' } };
    await expect(client.callTool(create)).rejects.toThrow('403');
    await client.close();
  });

  it('needs no registration if a document describes it', async () => {
    const host = await MetadataHost.start();
    const open = await startIssuer('', { CLIENT_ID_METADATA: host.name });
    const clientId = `https://${host.name}/client.json`;
    host.serve({ client_id: clientId, client_name: 'Assistant', redirect_uris: [REDIRECT_URI] });
    const assistant = new Assistant(undefined, clientId);
    const person = await ResourceOwner.create(open);
    const address = new URL(`${open.settings.BASE_URL}/mcp`);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: assistant });
    await expect(new Client({ name: 'a', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError);
    expect(assistant.authorizationUrl!.searchParams.get('client_id')).toBe(clientId);
    const redirect = await person.signInAndGrantConsent(assistant.authorizationUrl!);
    await transport.finishAuth(redirect.searchParams.get('code')!);
    const client = new Client({ name: 'assistant', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(address, { authProvider: assistant }));
    expect((await client.callTool({ name: 'search_artworks' })).structuredContent).toMatchObject({ data: [] });
    await client.close();
    await open.stop();
    await host.stop();
  });

  it('discovers a server whose address has a path', async () => {
    const withPath = await startIssuer('/map');
    const { credentials } = await registerApp(withPath, { redirectUris: [REDIRECT_URI] });
    const assistant = new Assistant(credentials);
    const address = new URL(`${withPath.settings.BASE_URL}/mcp`);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: assistant });
    await expect(new Client({ name: 'a', version: '1' }).connect(transport)).rejects.toThrow(UnauthorizedError);
    expect(assistant.authorizationUrl!.pathname).toBe('/map/api/oauth/authorize');
    expect(assistant.authorizationUrl!.searchParams.get('resource')).toBe(address.href);
    await withPath.stop();
  });
});
