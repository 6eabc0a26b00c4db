import { expect } from '@jest/globals';
import { Account, type Role } from '../../src/identity/accounts/account.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { createAccount, registerApp, createMarker, issueTokens, type TestApp } from './factories.js';
import { type ResponseBody, type TestResponse, TestServer } from './test-server.js';

/** Whether there is a second region at longitude 6, the role of the author, and settings. */
export interface EditsFixtureOptions {
  withOtherRegion?: boolean;
  authorRole?: Role;
  settings?: Record<string, string>;
}

/** An author, a moderator, a region and an artwork, with the requests of the Edits API. */
export class EditsFixture {
  authorToken!: string;
  moderatorToken!: string;
  artwork!: Marker;

  private constructor(
    readonly server: TestServer,
    readonly client: TestApp,
    readonly authorAccount: Account,
  ) {}

  static async start({
    withOtherRegion = false,
    authorRole = 'member',
    settings = {},
  }: EditsFixtureOptions = {}): Promise<EditsFixture> {
    const server = await TestServer.start(settings);
    const regions = server.get(RegionsService);
    await regions.findOrCreate('Halvenstad', [4.8, 52, 5.2, 52.3]);
    if (withOtherRegion) await regions.findOrCreate('Elsewhere', [6, 52, 6.4, 52.3]);
    const author = await createAccount(server, { role: authorRole });
    const fixture = new EditsFixture(server, await registerApp(server), author);
    fixture.authorToken = await fixture.issueAccessToken(author);
    fixture.moderatorToken = await fixture.createModerator();
    return fixture;
  }

  /** Creates a moderator of all regions. @returns an access token */
  async createModerator(): Promise<string> {
    return this.issueAccessToken(await createAccount(this.server, { role: 'moderator' }));
  }

  async updateAccount(id: string, columns: Partial<Account>): Promise<void> {
    await this.server.get(TransactionService).run((tx) => tx.update(Account, { id }, columns));
  }

  async createArtwork(): Promise<void> {
    this.artwork = await createMarker(this.server, { title: 'Echo Wall', year: 2019 });
  }

  async issueAccessToken(account: Account, scopes?: Scope[]): Promise<string> {
    const tokens = await issueTokens(this.server, { app: this.client.app, account, ...(scopes && { scopes }) });
    return tokens.access_token;
  }

  post(path: string, token: string, body: unknown = {}): Promise<TestResponse> {
    return this.server.request('POST', `/api/edits${path}`, { token, body });
  }

  get(path: string, token: string): Promise<TestResponse> {
    return this.server.request('GET', `/api/edits${path}`, { token });
  }

  buildUpdate(changes: Record<string, unknown>, target = this.artwork): Record<string, unknown> {
    const { id, version } = target;
    return { type: 'update', targetType: 'artwork', targetId: id, baseVersion: version, changes };
  }

  buildDeletion(): Record<string, unknown> {
    return { ...this.buildUpdate({}), type: 'delete', changes: undefined };
  }

  /** Suggests an edit. @returns its id */
  async suggestEdit(body: Record<string, unknown>, token = this.authorToken): Promise<string> {
    const response = await this.post('', token, body);
    expect(response.status).toBe(201);
    return response.body.id as string;
  }

  /** Accepts, rejects or reverts an edit. */
  decide(action: string, id: string, token = this.moderatorToken): Promise<TestResponse> {
    return this.post(`/${id}/${action}`, token, { comment: 'A reason.' });
  }

  /** Accepts an edit; the request must succeed. */
  async accept(id: string, token = this.moderatorToken): Promise<ResponseBody> {
    const { status, body } = await this.decide('accept', id, token);
    expect({ status, code: body.code }).toEqual({ status: 200 });
    return body;
  }

  /**
   * Suggests and accepts an update of the artwork as it is now, or of another version.
   * @returns the id of the edit
   */
  async createAcceptedEdit(changes: Record<string, unknown>, target?: Marker): Promise<string> {
    const id = await this.suggestEdit(this.buildUpdate(changes, target ?? (await this.findMarker())));
    await this.accept(id);
    return id;
  }

  findMarker(id = this.artwork.id): Promise<Marker> {
    return this.server.entityManager.findOneOrFail(Marker, { where: { id }, relations: { artists: true } });
  }
}

/** Expects an error of the API with a sentence. */
export function expectApiError(
  { status, body }: TestResponse,
  expectedStatus: number,
  code: string,
  reason?: string,
): void {
  expect({ status, code: body.code, reason: body.reason }).toEqual({ status: expectedStatus, code, reason });
  expect(body.error).toMatch(/\.$/);
}
