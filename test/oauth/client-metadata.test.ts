import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AppsStore } from '../../src/identity/apps/apps.store.js';
import { TokenIssuanceService } from '../../src/identity/oauth/token-issuance.service.js';
import {
  createAuthorizationRequest,
  grantConsent,
  openSignedInBrowser,
  parseRedirectParams,
} from '../support/authorization-flow.js';
import type { BrowserClient, PageResponse } from '../support/browser-client.js';
import { Cli } from '../support/cli.js';
import { createAccount, registerApp } from '../support/factories.js';
import { advanceClock, restoreClock } from '../support/fake-clock.js';
import { MetadataHost } from '../support/metadata-host.js';
import { TestServer } from '../support/test-server.js';

const REDIRECT_URI = 'http://127.0.0.1/callback';
let sequence = 0;

describe('Client ID metadata documents', () => {
  let server: TestServer;
  let host: MetadataHost;
  let browser: BrowserClient;
  let clientId: string;
  let document: Record<string, unknown>;

  beforeAll(async () => {
    host = await MetadataHost.start();
    server = await TestServer.start({ CLIENT_ID_METADATA: 'other.example,assistant.example' });
    browser = await openSignedInBrowser(server, await createAccount(server));
  });
  afterAll(async () => {
    await server.stop();
    await host.stop();
  });
  beforeEach(() => {
    clientId = `https://assistant.example/client-${++sequence}.json`;
    document = { client_id: clientId, client_name: 'Mural Helper', redirect_uris: [REDIRECT_URI] };
    host.serve(document);
    host.address = '93.184.215.14';
    host.requests.length = 0;
  });
  afterEach(restoreClock);

  const build = (id = clientId, redirectUri = REDIRECT_URI): { path: string; codeVerifier: string } =>
    createAuthorizationRequest({ credentials: { client_id: id } } as never, {
      redirect_uri: redirectUri,
      scope: 'openid markers:read',
    });
  const authorize = (id?: string, redirectUri?: string): Promise<PageResponse> =>
    browser.get(build(id, redirectUri).path);
  const find = (): ReturnType<AppsStore['find']> => server.get(AppsStore).find(clientId);

  it('describe an app without registration, from the consent to a refresh', async () => {
    const { path, codeVerifier } = build();
    const { html: body } = await browser.get(path);
    expect(body).toContain('Mural Helper (assistant.example)');
    expect(body).toMatch(
      /The website <b>assistant.example<\/b> describes this app, first seen on <time[^>]*>.+<\/time>/,
    );
    expect(body).toContain('It is not registered here. Used by fewer than 10 people.');
    const { code } = parseRedirectParams(await grantConsent(browser, path), REDIRECT_URI);
    const fields = { client_id: clientId, grant_type: 'authorization_code', code, code_verifier: codeVerifier };
    const { status, body: tokens } = await server.request('POST', '/api/oauth/token', {
      body: { ...fields, redirect_uri: REDIRECT_URI },
    });
    expect(status).toBe(200);
    expect(decodeJwt(tokens.id_token as string).aud).toBe(clientId);
    expect((await server.request('GET', '/api/markers', { token: tokens.access_token })).status).toBe(200);
    const refresh = { client_id: clientId, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await server.request('POST', '/api/oauth/token', { body: refresh })).status).toBe(200);
    expect(host.requests).toHaveLength(1);
  });

  it('are announced in the metadata while they are on', async () => {
    const { body } = await server.request('GET', '/.well-known/oauth-authorization-server');
    expect(body.client_id_metadata_document_supported).toBe(true);
  });

  it.each([
    ['max-age=60', 61, 2],
    ['max-age=600', 300, 1],
    ['no-store', 30, 1],
    ['no-store', 61, 2],
    ['max-age=999999999', 86_500, 2],
    ['max-age=999999999', 80_000, 1],
  ])('with %s are fetched %s seconds later %s times', async (cacheControl, seconds, times) => {
    host.serve(document, { 'Cache-Control': cacheControl });
    await authorize();
    advanceClock(seconds * 1000);
    browser = await openSignedInBrowser(server, await createAccount(server));
    await authorize();
    expect(host.requests).toHaveLength(times);
  });

  it('replace the settings, and the consent page shows the former name', async () => {
    host.serve(document, { 'Cache-Control': 'no-store' });
    await grantConsent(browser, build().path);
    const { id } = (await find())!;
    host.serve({ ...document, client_name: 'Wall Helper', redirect_uris: ['https://assistant.example/back'] });
    advanceClock(61_000);
    expect((await authorize()).status).toBe(400);
    expect(await find()).toMatchObject({ id, name: 'Wall Helper (assistant.example)' });
  });

  it.each<[string, (valid: Record<string, unknown>) => unknown]>([
    ['no JSON', () => 'nothing'],
    ['an array', () => []],
    ['another client_id', (valid) => ({ ...valid, client_id: `${clientId}x` })],
    ['no client_id', ({ client_id: _, ...others }) => others],
    ['no name', ({ client_name: _, ...others }) => others],
    ['a name with hidden characters', (valid) => ({ ...valid, client_name: 'Mural\u202e Helper' })],
    ['the name of the map', (valid) => ({ ...valid, client_name: 'Street art map' })],
    ['a name that is too long', (valid) => ({ ...valid, client_name: 'x'.repeat(90) })],
    ['no redirect URIs', ({ redirect_uris: _, ...others }) => others],
    ['an empty list', (valid) => ({ ...valid, redirect_uris: [] })],
    ['one bad redirect URI', (valid) => ({ ...valid, redirect_uris: [REDIRECT_URI, 'http://evil.example/'] })],
    ['a number as redirect URI', (valid) => ({ ...valid, redirect_uris: [REDIRECT_URI, 5] })],
    ['a secret', (valid) => ({ ...valid, client_secret: 'x' })],
    ['an authentication method', (valid) => ({ ...valid, token_endpoint_auth_method: 'private_key_jwt' })],
    ['only unknown scopes', (valid) => ({ ...valid, scope: 'offline_access' })],
    ['more than 64 KiB', (valid) => ({ ...valid, padding: 'x'.repeat(70_000) })],
  ])('with %s are rejected', async (_, change) => {
    host.serve(change(document));
    const { status, location, html: body } = await authorize();
    expect({ status, location }).toEqual({ status: 400, location: null });
    expect(body).toContain('cannot read the description of this app, or it is not valid');
    expect(await find()).toBeNull();
  });

  it('with the name of a registered app are rejected, and reserve no name', async () => {
    const { app } = await registerApp(server);
    host.serve({ ...document, client_name: app.name });
    expect((await authorize()).status).toBe(400);
    host.serve({ ...document, client_name: 'Free Name' });
    expect((await authorize()).status).toBe(200);
    await registerApp(server, { name: 'Free Name' });
  });

  it.each([
    ['a redirect', 302, { Location: 'https://assistant.example/other.json' }],
    ['status 404', 404, {}],
    ['HTML', 200, { 'Content-Type': 'text/html' }],
  ])('behind %s are rejected', async (_, status, headers) => {
    host.respond = (_request, response) => void response.writeHead(status, headers).end(JSON.stringify(document));
    expect((await authorize()).status).toBe(400);
    expect(host.requests).toHaveLength(1);
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fe80::1', '::ffff:127.0.0.1', '0.0.0.0', '100.64.0.1'])(
    'at the address %s are not fetched',
    async (address) => {
      host.address = address;
      expect((await authorize()).status).toBe(400);
      expect(host.requests).toEqual([]);
    },
  );

  it.each([
    'https://unlisted.example/client.json',
    'https://assistant.example',
    'https://assistant.example/',
    'http://assistant.example/client.json',
    'https://me@assistant.example/client.json',
    'https://assistant.example/client.json#part',
    'https://assistant.example/a/../client.json',
    'https://assistant.example/a/%2e%2e/client.json',
    'https://assistant.example:444/client.json',
    'https://ASSISTANT.example/client.json',
    'https://assistant.example/client json',
    `https://assistant.example/${'x'.repeat(500)}`,
  ])('at %s are not fetched', async (id) => {
    host.serve({ ...document, client_id: id });
    const { status, html: body } = await authorize(id);
    expect(status).toBe(400);
    expect(body).toContain('unknown or disabled');
    expect(host.requests).toEqual([]);
  });

  it('have redirect URIs that requests must match', async () => {
    expect((await authorize(clientId, 'https://evil.example/')).status).toBe(400);
    expect((await authorize(clientId, 'http://127.0.0.1:5000/callback')).status).toBe(200);
  });

  it('are fetched once for requests at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => authorize()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(host.requests).toHaveLength(1);
  });

  it('of a disabled app are not fetched again', async () => {
    host.serve(document, { 'Cache-Control': 'no-store' });
    await authorize();
    await server.get(AppsService).disable((await find())!.id);
    advanceClock(61_000);
    expect((await authorize()).status).toBe(400);
    expect(host.requests).toHaveLength(1);
    const refresh = { client_id: clientId, grant_type: 'refresh_token', refresh_token: 'sam_refresh_x' };
    expect((await server.request('POST', '/api/oauth/token', { body: refresh })).status).toBe(401);
  });

  it('are listed with their address, which the other commands take, except the one that issues tokens', async () => {
    await authorize();
    const cli = new Cli(server.settings.DATABASE_URL);
    const apps = (await cli.runJson('apps', 'list')) as { client_id: string; name: string }[];
    expect(apps.find(({ client_id }) => client_id === clientId)?.name).toBe('Mural Helper (assistant.example)');
    expect(await cli.runJson('apps', 'disable', clientId)).toMatchObject({ client_id: clientId });
    expect((await authorize()).status).toBe(400);
    await cli.runJson('apps', 'enable', clientId);
    expect((await authorize()).status).toBe(200);
    const limited = await cli.runJson('apps', 'limit', clientId, '--token-rate', '5');
    expect(limited).toMatchObject({ client_id: clientId, token_rate_limit: 5 });
    const { username } = await createAccount(server);
    const issue = server.get(TokenIssuanceService).issueByOperator(clientId, username, ['markers:read']);
    await expect(issue).rejects.toThrow('is not registered. Only a person can allow it.');
    expect(await cli.runJson('apps', 'delete', clientId)).toEqual({ client_id: clientId });
    expect((await authorize()).status).toBe(400);
  });

  it('are off by default, also for an app that was described before', async () => {
    await authorize();
    expect(await find()).not.toBeNull();
    const other = await TestServer.start();
    const { body } = await other.request('GET', '/.well-known/oauth-authorization-server');
    expect(body).not.toHaveProperty('client_id_metadata_document_supported');
    const signedIn = await openSignedInBrowser(other, await createAccount(other));
    host.requests.length = 0;
    expect((await signedIn.get(build().path)).status).toBe(400);
    expect(host.requests).toEqual([]);
    await other.stop();
  });

  it.each(['on', 'true', 'https://assistant.example', 'assistant.example,'])(
    'stop the start with the setting %j',
    async (setting) => {
      const start = TestServer.start({ CLIENT_ID_METADATA: setting });
      await expect(start).rejects.toThrow(/CLIENT_ID_METADATA must be off, any, or hosts/);
    },
  );

  it('are limited to a number of fetches per network', async () => {
    const limited = await TestServer.start({ CLIENT_ID_METADATA: 'any', RATE_LIMITS: 'on' });
    const signedIn = await openSignedInBrowser(limited, await createAccount(limited));
    host.serve('none');
    const statuses: number[] = [];
    for (let count = 0; count < 21; count++)
      statuses.push((await signedIn.get(build(`https://assistant.example/limit-${count}.json`).path)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(400), 429]);
    await limited.stop();
  });
});
