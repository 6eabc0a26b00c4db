import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppAction } from '../../src/identity/app-record/app-action.entity.js';
import { BrowserClient, type PageResponse } from './browser-client.js';
import { createAccount, createMarker, issueTokens, registerApp, type TestApp } from './factories.js';
import { type TestResponse, TestServer } from './test-server.js';

/** A person with a session and two apps: the requests of the apps, and the pages of the record. */
export class RecordFixture {
  account!: Account;
  browser!: BrowserClient;
  /** The access tokens of the two apps. */
  tokens!: [string, string];
  markerIds: string[] = [];

  private constructor(
    readonly server: TestServer,
    readonly apps: [TestApp, TestApp],
  ) {}

  static async start(): Promise<RecordFixture> {
    const server = await TestServer.start();
    return new RecordFixture(server, [await registerApp(server), await registerApp(server)]);
  }

  /** Creates another person, and artworks. */
  async createPerson(markerCount = 4, role: Account['role'] = 'member'): Promise<void> {
    this.account = await createAccount(this.server, { role });
    this.browser = new BrowserClient(this.server);
    await this.browser.signIn(this.account);
    this.tokens = [await this.issueToken(0), await this.issueToken(1)];
    while (this.markerIds.length < markerCount) this.markerIds.push((await createMarker(this.server)).id);
  }

  async issueToken(app: 0 | 1, account = this.account): Promise<string> {
    return (await issueTokens(this.server, { app: this.apps[app].app, account })).access_token;
  }

  /** Sends a request of an app. */
  send(app: 0 | 1, method: string, path: string, body?: object): Promise<TestResponse> {
    return this.server.request(method, `/api${path}`, { token: this.tokens[app], ...(body && { body }) });
  }

  /** Creates a collection with artworks. @returns its id */
  async createCollection(app: 0 | 1, markerIds: string[] = []): Promise<string> {
    const id = (await this.send(app, 'POST', '/collections', { name: 'Foxes' })).body.id as string;
    if (markerIds.length > 0) await this.addItems(app, id, markerIds);
    return id;
  }

  addItems(app: 0 | 1, id: string, markerIds: string[]): Promise<TestResponse> {
    return this.send(app, 'POST', `/collections/${id}/items`, { items: markerIds.map((markerId) => ({ markerId })) });
  }

  /** Suggests a year for an artwork. @returns the id of the edit */
  async suggestYear(app: 0 | 1, year: number, targetId = this.markerIds[0]!): Promise<string> {
    const { version } = (await this.send(app, 'GET', `/markers/${targetId}`)).body;
    const edit = { type: 'update', targetType: 'artwork', targetId, baseVersion: version, changes: { year } };
    return (await this.send(app, 'POST', '/edits', edit)).body.id as string;
  }

  getAppPath(app: 0 | 1): string {
    return `/account/apps/${this.apps[app].app.id}`;
  }

  openRecord(app: 0 | 1, browser = this.browser): Promise<PageResponse> {
    return browser.get(this.getAppPath(app));
  }

  /** Returns the lines of an app, the newest first. */
  listLines(app: 0 | 1): Promise<AppAction[]> {
    const where = { accountId: this.account.id, appId: this.apps[app].app.id };
    return this.server.entityManager.find(AppAction, { where, order: { id: 'DESC' } });
  }

  /** Presses a button of the page of an app. @returns the message of the next page */
  async press(app: 0 | 1, what: string, browser = this.browser): Promise<string | undefined> {
    const { location } = await browser.post(this.getAppPath(app), { what });
    return /role="status">([^<]*)</.exec((await browser.get(location!)).html)?.[1];
  }

  /** Presses "Undo" at the newest line of an app, or at the newest one with this action. */
  async undo(app: 0 | 1, action?: string): Promise<string | undefined> {
    const lines = await this.listLines(app);
    return this.press(app, lines.find((line) => line.action === (action ?? line.action))!.id);
  }

  /** Returns the name, description and items of a collection; null if it does not exist. */
  async findCollection(id: string): Promise<{ name: string; markerIds: string[]; notes: unknown[] } | null> {
    const { status, body } = await this.send(0, 'GET', `/collections/${id}?limit=100`);
    if (status === 404) return null;
    const items = body.items as { artwork: { id: string }; note: string | null }[];
    return {
      name: body.name as string,
      markerIds: items.map(({ artwork }) => artwork.id),
      notes: items.map(({ note }) => note),
    };
  }
}
