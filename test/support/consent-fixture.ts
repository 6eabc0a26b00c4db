import type { Account } from '../../src/accounts/account.entity.js';
import { ask, exchange, replyOf, signedIn } from './authorize.js';
import { newAccount, newApp, type TestApp } from './factories.js';
import type { Service } from './service.js';
import type { Seen, Visitor } from './visitor.js';

/** A person who is signed in, and an app of somebody else that does not work without `markers:read`. */
export class ConsentFixture {
  private constructor(
    private readonly service: Service,
    readonly person: Account,
    readonly visitor: Visitor,
    readonly app: TestApp,
  ) {}

  static async start(service: Service): Promise<ConsentFixture> {
    const person = await newAccount(service);
    const owner = await newAccount(service, { name: 'Olga Owner' });
    const homePage = 'https://app.example.org/';
    const app = await newApp(service, { ownerId: owner.id, requiredScopes: ['markers:read'], homePage });
    return new ConsentFixture(service, person, await signedIn(service, person), app);
  }

  /** What the code of an answer is good for. */
  async scopeOf(answer: Seen, verifier: string): Promise<string> {
    return (await exchange(this.service, this.app, replyOf(answer).code, verifier)).body.scope as string;
  }

  /** Whether the person is asked, or sent back to the app at once. */
  async isAsked(given: Record<string, string | undefined> = {}): Promise<boolean> {
    return (await this.visitor.get(ask(this.app, given).path)).status === 200;
  }
}
