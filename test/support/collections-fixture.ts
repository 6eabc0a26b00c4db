import type { Account } from '../../src/accounts/account.entity.js';
import type { Scope } from '../../src/scopes/catalogue.js';
import { newAccount, newApp, newTokens, type TestApp } from './factories.js';
import { type Answer, Service } from './service.js';

/** An owner with a collection, a stranger, and the calls of the Collections API. */
export class CollectionsFixture {
  owner!: Account;
  token!: string;
  id!: string;

  private constructor(
    readonly service: Service,
    readonly client: TestApp,
    readonly stranger: string,
  ) {}

  static async start(): Promise<CollectionsFixture> {
    const service = await Service.start();
    const client = await newApp(service);
    const account = await newAccount(service);
    return new CollectionsFixture(
      service,
      client,
      (await newTokens(service, { app: client.app, account })).access_token,
    );
  }

  async newOwner(): Promise<void> {
    this.owner = await newAccount(this.service);
    this.token = await this.tokenOf(this.owner);
    this.id = (await this.post('', { name: 'Foxes' })).body.id as string;
  }

  async tokenOf(account: Account, scopes?: Scope[]): Promise<string> {
    const tokens = await newTokens(this.service, { app: this.client.app, account, ...(scopes && { scopes }) });
    return tokens.access_token;
  }

  post(path: string, body: unknown, token = this.token): Promise<Answer> {
    return this.service.call('POST', `/api/collections${path}`, { token, body });
  }

  get(path: string, token?: string): Promise<Answer> {
    return this.service.call('GET', `/api/collections${path}`, { ...(token !== undefined && { token }) });
  }

  remove(path: string, token = this.token): Promise<Answer> {
    return this.service.call('DELETE', `/api/collections${path}`, { token });
  }

  add(markerIds: string[], token = this.token): Promise<Answer> {
    return this.post(`/${this.id}/items`, { items: markerIds.map((markerId) => ({ markerId })) }, token);
  }

  publish(): Promise<Answer> {
    return this.post(`/${this.id}`, { visibility: 'public' });
  }

  async titles(): Promise<string[]> {
    const { body } = await this.get(`/${this.id}?limit=100`, this.token);
    return body.items.map(({ artwork }: { artwork: { title: string } }) => artwork.title);
  }
}
