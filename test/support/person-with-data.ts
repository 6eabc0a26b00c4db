import { expect } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { BrowserClient, type PageResponse } from './browser-client.js';
import { createAccount, createMarker, issueTokens, registerApp, type TestApp } from './factories.js';
import type { TestResponse, TestServer } from './test-server.js';

/** Values that identify the person of a PersonWithData. */
export interface Identity {
  username: string;
  email: string;
  name: string;
  ipAddress: string;
  userAgent: string;
}

/** A person with data in every part of the service. The server needs `TRUST_PROXY`. */
export class PersonWithData {
  account!: Account;
  browser!: BrowserClient;
  /** An app of the operator that acts for the person. */
  connectedApp!: TestApp;
  accessToken!: string;
  refreshToken!: string;
  /** An app that the person registered. */
  ownApp!: TestApp;
  collectionId!: string;
  markerId!: string;
  openEditId!: string;
  acceptedEditId!: string;

  private constructor(
    readonly server: TestServer,
    readonly identity: Identity,
  ) {}

  static async create(server: TestServer, username: string): Promise<PersonWithData> {
    const octet = 1 + (Buffer.from(username).reduce((sum, byte) => sum + byte) % 250);
    const person = new PersonWithData(server, {
      username,
      email: `${username}@example.org`,
      name: `Name of ${username}`,
      ipAddress: `203.0.113.${octet}`,
      userAgent: `Browser of ${username}`,
    });
    await person.signUp();
    await person.connectApps();
    await person.contribute();
    return person;
  }

  request(method: string, path: string, body?: unknown, token = this.accessToken): Promise<TestResponse> {
    return this.server.request(method, path, { token, ...(body !== undefined && { body }) });
  }

  refresh(): Promise<TestResponse> {
    const body = { grant_type: 'refresh_token', refresh_token: this.refreshToken, ...this.connectedApp.credentials };
    return this.server.request('POST', '/api/oauth/token', { body });
  }

  async openBrowser(): Promise<BrowserClient> {
    const { ipAddress, userAgent } = this.identity;
    const browser = new BrowserClient(this.server, { 'X-Forwarded-For': ipAddress, 'User-Agent': userAgent });
    await browser.signIn(this.account);
    return browser;
  }

  async delete(password = 'correct horse'): Promise<PageResponse> {
    return this.browser.submitForm(await this.browser.get('/account/delete'), '/account/delete', { password });
  }

  private async signUp(): Promise<void> {
    this.account = await createAccount(this.server, this.identity);
    this.browser = await this.openBrowser();
  }

  private async connectApps(): Promise<void> {
    this.connectedApp = await registerApp(this.server);
    const tokens = await issueTokens(this.server, { app: this.connectedApp.app, account: this.account });
    [this.accessToken, this.refreshToken] = [tokens.access_token, tokens.refresh_token];
    this.ownApp = await registerApp(this.server, {
      name: `Walks of ${this.identity.username}`,
      description: `By ${this.identity.name}.`,
      ownerId: this.account.id,
    });
  }

  private async contribute(): Promise<void> {
    await this.server.get(RegionsService).findOrCreate('Halvenstad', [4.8, 52, 5.2, 52.3]);
    const { id, version } = await createMarker(this.server);
    this.markerId = id;
    const collection = await this.request('POST', '/api/collections', { name: 'Foxes', visibility: 'public' });
    this.collectionId = collection.body.id as string;
    await this.request('POST', `/api/collections/${this.collectionId}/items`, { items: [{ markerId: id }] });
    const edit = { type: 'update', targetType: 'artwork', targetId: id, baseVersion: version };
    this.acceptedEditId = await this.suggest({ ...edit, changes: { year: 2001 } });
    await this.accept(this.acceptedEditId);
    const comment = `Seen by ${this.identity.name}.`;
    this.openEditId = await this.suggest({ ...edit, baseVersion: version + 1, changes: { title: 'Fox' }, comment });
  }

  private async suggest(body: object): Promise<string> {
    const response = await this.request('POST', '/api/edits', body);
    expect(response.status).toBe(201);
    return response.body.id as string;
  }

  private async accept(id: string): Promise<void> {
    const token = await this.issueModeratorToken();
    expect((await this.request('POST', `/api/edits/${id}/accept`, {}, token)).status).toBe(200);
  }

  /** Issues an access token of a new moderator of all regions. */
  async issueModeratorToken(): Promise<string> {
    const account = await createAccount(this.server, { role: 'moderator', regions: ['*'] });
    return (await issueTokens(this.server, { app: this.connectedApp.app, account })).access_token;
  }
}
