import type { Account } from '../../src/identity/accounts/account.entity.js';
import {
  createAuthorizationRequest,
  exchangeCode,
  parseRedirectParams,
  openSignedInBrowser,
} from './authorization-flow.js';
import { createAccount, registerApp, type TestApp } from './factories.js';
import type { TestServer } from './test-server.js';
import type { PageResponse, BrowserClient } from './browser-client.js';

/** A person who is signed in, and an app of somebody else that does not work without `markers:read`. */
export class ConsentFixture {
  private constructor(
    private readonly server: TestServer,
    readonly account: Account,
    readonly browser: BrowserClient,
    readonly app: TestApp,
  ) {}

  static async start(service: TestServer): Promise<ConsentFixture> {
    const person = await createAccount(service);
    const owner = await createAccount(service, { name: 'Olga Owner' });
    const homePage = 'https://app.example.org/';
    const app = await registerApp(service, { ownerId: owner.id, requiredScopes: ['markers:read'], homePage });
    return new ConsentFixture(service, person, await openSignedInBrowser(service, person), app);
  }

  /** What the code of an answer is good for. */
  async exchangeForScope(answer: PageResponse, verifier: string): Promise<string> {
    return (await exchangeCode(this.server, this.app, parseRedirectParams(answer).code, verifier)).body.scope as string;
  }

  /** Whether the person is asked, or sent back to the app at once. */
  async requiresConsent(given: Record<string, string | undefined> = {}): Promise<boolean> {
    return (await this.browser.get(createAuthorizationRequest(this.app, given).path)).status === 200;
  }
}
