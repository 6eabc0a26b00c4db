import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewApp } from '../../src/apps/apps.service.js';
import { ask, type Asking, exchange } from './authorize.js';
import { newApp, type TestApp } from './factories.js';
import type { Answer, Service } from './service.js';

/** A third-party app that is registered, and that is there at its address on a port of its own. */
export class ThirdParty {
  private readonly server = createServer();
  /** The query of each request to the app's address, in the order they came. */
  private readonly replies: Record<string, string>[] = [];
  registered!: TestApp;
  private asking!: Asking;

  private constructor(
    private readonly service: Service,
    /** Where the app sends on to who comes to its address, if anywhere. */
    private readonly onward: string | undefined,
  ) {}

  static async start(service: Service, given: Partial<NewApp> = {}, onward?: string): Promise<ThirdParty> {
    const app = new ThirdParty(service, onward);
    await app.listen();
    const redirectUris = ['http://127.0.0.1/callback'];
    app.registered = await newApp(service, { redirectUris, postLogoutRedirectUris: [app.signedOutUri], ...given });
    return app;
  }

  get id(): string {
    return this.registered.app.id;
  }

  get name(): string {
    return this.registered.app.name;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get redirectUri(): string {
    return `${this.origin}/callback`;
  }

  /** Where the app wants people to be sent when they signed out. */
  get signedOutUri(): string {
    return `${this.origin}/signed-out`;
  }

  /** Begins to ask for access. @returns where the app sends a person for that */
  ask(given: Record<string, string | undefined> = {}): string {
    this.asking = ask(this.registered, { redirect_uri: this.redirectUri, ...given });
    return this.asking.path;
  }

  /** What the app was told of what it asked, each time that somebody came back. */
  get told(): Record<string, string>[] {
    return this.replies;
  }

  /** Exchanges a code, by default the one that came last. */
  exchange(code = this.replies.at(-1)?.['code']): Promise<Answer> {
    return exchange(this.service, this.registered, code, this.asking.verifier, { redirect_uri: this.redirectUri });
  }

  refresh(refresh_token: string): Promise<Answer> {
    const body = { grant_type: 'refresh_token', refresh_token, ...this.registered.credentials };
    return this.service.call('POST', '/api/oauth/token', { body });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((stopped) => this.server.close(stopped));
  }

  private async listen(): Promise<void> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    this.server.on('request', (request, response) => {
      const url = new URL(request.url!, this.origin);
      const isReply = url.pathname === '/callback';
      if (isReply) this.replies.push(Object.fromEntries(url.searchParams));
      if (isReply && this.onward) response.writeHead(302, { location: this.onward }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>App</title>You are back in the app.');
    });
  }
}
