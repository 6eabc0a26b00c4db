import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NewApp } from '../../src/identity/apps/new-app.js';
import { createAuthorizationRequest, type AuthorizationRequest, exchangeCode } from './authorization-flow.js';
import { registerApp, type TestApp } from './factories.js';
import { refreshTokens } from './token-endpoint.js';
import type { TestResponse, TestServer } from './test-server.js';

/** A registered app with a callback server on its own port. */
export class ClientApp {
  private readonly callbackServer = createServer();
  /** The parameters of each request to the redirect URI, in order. */
  readonly receivedCallbacks: Record<string, string>[] = [];
  registration!: TestApp;
  private authorizationRequest!: AuthorizationRequest;

  private constructor(
    private readonly server: TestServer,
    /** The address that the redirect URI redirects to, if any. */
    private readonly callbackRedirect: string | undefined,
  ) {}

  static async start(
    server: TestServer,
    overrides: Partial<NewApp> = {},
    callbackRedirect?: string,
  ): Promise<ClientApp> {
    const app = new ClientApp(server, callbackRedirect);
    await app.listen();
    const redirectUris = ['http://127.0.0.1/callback'];
    app.registration = await registerApp(server, {
      redirectUris,
      postLogoutRedirectUris: [app.postLogoutRedirectUri],
      ...overrides,
    });
    return app;
  }

  get id(): string {
    return this.registration.app.id;
  }

  get name(): string {
    return this.registration.app.name;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.callbackServer.address() as AddressInfo).port}`;
  }

  get redirectUri(): string {
    return `${this.origin}/callback`;
  }

  /** The post-logout redirect URI of the app. */
  get postLogoutRedirectUri(): string {
    return `${this.origin}/signed-out`;
  }

  /** Starts an authorization request. @returns its path */
  startAuthorization(parameters: Record<string, string | undefined> = {}): string {
    this.authorizationRequest = createAuthorizationRequest(this.registration, {
      redirect_uri: this.redirectUri,
      ...parameters,
    });
    return this.authorizationRequest.path;
  }

  /** Exchanges a code, by default the one that was received last. */
  exchangeCode(code = this.receivedCallbacks.at(-1)?.['code']): Promise<TestResponse> {
    return exchangeCode(this.server, this.registration, code, this.authorizationRequest.codeVerifier, {
      redirect_uri: this.redirectUri,
    });
  }

  refreshTokens(refreshToken: string): Promise<TestResponse> {
    return refreshTokens(this.server, this.registration, refreshToken);
  }

  async stop(): Promise<void> {
    this.callbackServer.closeAllConnections();
    await new Promise((resolve) => this.callbackServer.close(resolve));
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.callbackServer.listen(0, '127.0.0.1', resolve));
    this.callbackServer.on('request', (request, response) => void this.respond(request, response));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.origin);
    const isCallback = url.pathname === '/callback';
    const params = request.method === 'POST' ? new URLSearchParams(await text(request)) : url.searchParams;
    if (isCallback) this.receivedCallbacks.push(Object.fromEntries(params));
    if (isCallback && this.callbackRedirect) response.writeHead(302, { location: this.callbackRedirect }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>App</title>You are back in the app.');
  }
}
