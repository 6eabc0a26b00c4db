import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { createAccount, registerApp, issueTokens, type TestApp } from './factories.js';
import { type TestResponse, TestServer } from './test-server.js';

/** An owner with a collection and another account, with the requests of the Collections API. */
export class CollectionsFixture {
  owner!: Account;
  ownerToken!: string;
  collectionId!: string;

  private constructor(
    readonly server: TestServer,
    readonly client: TestApp,
    readonly otherToken: string,
  ) {}

  static async start(): Promise<CollectionsFixture> {
    const service = await TestServer.start();
    const client = await registerApp(service);
    const account = await createAccount(service);
    return new CollectionsFixture(
      service,
      client,
      (await issueTokens(service, { app: client.app, account })).access_token,
    );
  }

  async createOwner(): Promise<void> {
    this.owner = await createAccount(this.server);
    this.ownerToken = await this.issueAccessToken(this.owner);
    this.collectionId = (await this.post('', { name: 'Foxes' })).body.id as string;
  }

  async issueAccessToken(account: Account, scopes?: Scope[]): Promise<string> {
    const tokens = await issueTokens(this.server, { app: this.client.app, account, ...(scopes && { scopes }) });
    return tokens.access_token;
  }

  post(path: string, body: unknown, token = this.ownerToken): Promise<TestResponse> {
    return this.server.request('POST', `/api/collections${path}`, { token, body });
  }

  get(path: string, token?: string): Promise<TestResponse> {
    return this.server.request('GET', `/api/collections${path}`, { ...(token !== undefined && { token }) });
  }

  delete(path: string, token = this.ownerToken): Promise<TestResponse> {
    return this.server.request('DELETE', `/api/collections${path}`, { token });
  }

  addItems(markerIds: string[], token = this.ownerToken): Promise<TestResponse> {
    return this.post(`/${this.collectionId}/items`, { items: markerIds.map((markerId) => ({ markerId })) }, token);
  }

  publish(): Promise<TestResponse> {
    return this.post(`/${this.collectionId}`, { visibility: 'public' });
  }

  async listTitles(): Promise<string[]> {
    const { body } = await this.get(`/${this.collectionId}?limit=100`, this.ownerToken);
    return body.items.map(({ artwork }: { artwork: { title: string } }) => artwork.title);
  }
}
