import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Account, AccountWithEmail } from '../../src/identity/accounts/account.entity.js';
import type { NewApp } from '../../src/identity/apps/new-app.js';
import type { TokenResponse } from '../../src/identity/oauth/token.dto.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import {
  authorizeApp,
  createAuthorizationRequest,
  exchangeCode,
  grantConsent,
  openSignedInBrowser,
  parseRedirectParams,
} from './authorization-flow.js';
import type { BrowserClient, PageResponse } from './browser-client.js';
import { createAccount, issueTokens, registerApp, type TestApp } from './factories.js';
import { TestServer, type TestResponse } from './test-server.js';
import { refreshTokens, revokeToken } from './token-endpoint.js';

/** The environment of the server, and the app: one per test unless `appPerFile` is set. */
export interface OAuthFixtureOptions {
  environment?: Record<string, string>;
  appPerFile?: boolean;
  app?: (server: TestServer, account: Account) => Partial<NewApp> | Promise<Partial<NewApp>>;
}

/** A server, an account that is signed in with a browser, and an app. */
export class OAuthFixture {
  server!: TestServer;
  account!: AccountWithEmail;
  browser!: BrowserClient;
  app!: TestApp;

  /** Starts a server for the file; each test gets a new account and a new browser. */
  static use({ environment, appPerFile = false, app = () => ({}) }: OAuthFixtureOptions = {}): OAuthFixture {
    const fixture = new OAuthFixture();
    const register = async (): Promise<void> => {
      fixture.app = await registerApp(fixture.server, await app(fixture.server, fixture.account));
    };
    beforeAll(async () => {
      fixture.server = await TestServer.start(environment);
      if (appPerFile) await register();
    });
    afterAll(() => fixture.server.stop());
    beforeEach(async () => {
      fixture.account = await createAccount(fixture.server);
      if (!appPerFile) await register();
      fixture.browser = await openSignedInBrowser(fixture.server, fixture.account);
    });
    return fixture;
  }

  /** Uses an app of another account that requires `markers:read`. */
  static useWithRequiredScope(): OAuthFixture {
    return OAuthFixture.use({
      app: async (server) => {
        const owner = await createAccount(server, { name: 'Olga Owner' });
        return { ownerId: owner.id, requiredScopes: ['markers:read'], homePage: 'https://app.example.org/' };
      },
    });
  }

  issueTokens(scopes?: Scope[]): Promise<TokenResponse> {
    return issueTokens(this.server, { app: this.app.app, account: this.account, ...(scopes && { scopes }) });
  }

  /** Opens a browser in which another new account is signed in. */
  async openOtherBrowser(): Promise<BrowserClient> {
    return openSignedInBrowser(this.server, await createAccount(this.server));
  }

  /**
   * Requests the authorization endpoint.
   * @returns the consent page, the sign-in redirect or the redirect to the app
   */
  authorize(parameters: Record<string, string | undefined> = {}): Promise<PageResponse> {
    return this.browser.get(createAuthorizationRequest(this.app, parameters).path);
  }

  /** Whether the consent page is shown; otherwise the browser is redirected to the app. */
  async requiresConsent(parameters: Record<string, string | undefined> = {}): Promise<boolean> {
    return (await this.authorize(parameters)).status === 200;
  }

  /** Grants the consent. @returns the code and its verifier */
  async obtainCode(
    parameters: Record<string, string | undefined> = {},
  ): Promise<{ code: string; codeVerifier: string }> {
    const { path, codeVerifier } = createAuthorizationRequest(this.app, parameters);
    return { code: parseRedirectParams(await grantConsent(this.browser, path)).code!, codeVerifier };
  }

  /** Grants the consent and exchanges the code. @returns the token response */
  authorizeApp(parameters: Record<string, string | undefined> = {}): Promise<TestResponse> {
    return authorizeApp(this.server, this.app, this.browser, parameters);
  }

  exchangeCode(
    code: string | undefined,
    codeVerifier: string | undefined,
    fields: Record<string, unknown> = {},
  ): Promise<TestResponse> {
    return exchangeCode(this.server, this.app, code, codeVerifier, fields);
  }

  /** Exchanges the code of a redirect. @returns the granted scope */
  async exchangeForScope(redirect: PageResponse, codeVerifier: string): Promise<string> {
    return (await this.exchangeCode(parseRedirectParams(redirect).code, codeVerifier)).body.scope as string;
  }

  refreshTokens(
    refreshToken: string,
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    return refreshTokens(this.server, this.app, refreshToken, fields, headers);
  }

  revokeToken(token: string): Promise<TestResponse> {
    return revokeToken(this.server, this.app, token);
  }
}
