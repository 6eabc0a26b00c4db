import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import { AppsStore } from '../../src/identity/apps/apps.store.js';
import type { TokenResponse } from '../../src/identity/oauth/token.dto.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { type DemoCredentials, DemoService } from '../../src/app/demo/demo.service.js';
import { ALL_SCOPES, issueTokens } from './factories.js';
import { OpenApiDocument } from './openapi-document.js';
import { TestServer } from './test-server.js';

/** A server with the demo data and its OpenAPI document. */
export class DemoServer {
  private constructor(
    readonly server: TestServer,
    readonly demo: DemoCredentials,
    readonly document: OpenApiDocument,
  ) {}

  static async start(): Promise<DemoServer> {
    const server = await TestServer.start();
    const demo = (await server.get(DemoService).load())!;
    return new DemoServer(server, demo, await OpenApiDocument.load(server));
  }

  /** The credentials of the first demo app. */
  get credentials(): { client_id: string; client_secret: string } {
    const { client_id, client_secret } = this.demo.apps[0]!;
    return { client_id, client_secret };
  }

  /** Issues tokens to the first demo app for a demo account. */
  async issueTokens(username: string, scopes: readonly Scope[] = ALL_SCOPES): Promise<TokenResponse> {
    const account = (await this.server.get(AccountsStore).findByUsernameOrEmail(username))!;
    const app = (await this.server.get(AppsStore).find(this.credentials.client_id))!;
    return issueTokens(this.server, { app, account, scopes: [...scopes] });
  }

  async issueAccessToken(username: string, scopes: readonly Scope[] = ALL_SCOPES): Promise<string> {
    return (await this.issueTokens(username, scopes)).access_token;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
