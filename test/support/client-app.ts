import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewApp } from '../../src/identity/clients/new-app.js';
import { createAuthorizationRequest, type AuthorizationRequest, exchangeCode } from './authorization-flow.js';
import { registerApp, type TestApp } from './factories.js';
import type { TestResponse, TestServer } from './test-server.js';

/** A third-party app that is registered, and that is there at its address on a port of its own. */
export class ClientApp {
  private readonly callbackServer = createServer();
  /** The query of each request to the app's address, in the order they came. */
  private readonly callbackQueries: Record<string, string>[] = [];
  registration!: TestApp;
  private authorizationRequest!: AuthorizationRequest;

  private constructor(
    private readonly server: TestServer,
    /** Where the app sends on to who comes to its address, if anywhere. */
    private readonly callbackRedirect: string | undefined,
  ) {}

  static async start(service: TestServer, given: Partial<NewApp> = {}, onward?: string): Promise<ClientApp> {
    const app = new ClientApp(service, onward);
    await app.listen();
    const redirectUris = ['http://127.0.0.1/callback'];
    app.registration = await registerApp(service, {
      redirectUris,
      postLogoutRedirectUris: [app.postLogoutRedirectUri],
      ...given,
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

  /** Where the app wants people to be sent when they signed out. */
  get postLogoutRedirectUri(): string {
    return `${this.origin}/signed-out`;
  }

  /** Begins to ask for access. @returns where the app sends a person for that */
  startAuthorization(given: Record<string, string | undefined> = {}): string {
    this.authorizationRequest = createAuthorizationRequest(this.registration, {
      redirect_uri: this.redirectUri,
      ...given,
    });
    return this.authorizationRequest.path;
  }

  /** What the app was told of what it asked, each time that somebody came back. */
  get receivedCallbacks(): Record<string, string>[] {
    return this.callbackQueries;
  }

  /** Exchanges a code, by default the one that came last. */
  exchangeCode(code = this.callbackQueries.at(-1)?.['code']): Promise<TestResponse> {
    return exchangeCode(this.server, this.registration, code, this.authorizationRequest.codeVerifier, {
      redirect_uri: this.redirectUri,
    });
  }

  refreshTokens(refresh_token: string): Promise<TestResponse> {
    const body = { grant_type: 'refresh_token', refresh_token, ...this.registration.credentials };
    return this.server.request('POST', '/api/oauth/token', { body });
  }

  async stop(): Promise<void> {
    this.callbackServer.closeAllConnections();
    await new Promise((stopped) => this.callbackServer.close(stopped));
  }

  private async listen(): Promise<void> {
    await new Promise<void>((listening) => this.callbackServer.listen(0, '127.0.0.1', listening));
    this.callbackServer.on('request', (request, response) => {
      const url = new URL(request.url!, this.origin);
      const isReply = url.pathname === '/callback';
      if (isReply) this.callbackQueries.push(Object.fromEntries(url.searchParams));
      if (isReply && this.callbackRedirect) response.writeHead(302, { location: this.callbackRedirect }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>App</title>You are back in the app.');
    });
  }
}
