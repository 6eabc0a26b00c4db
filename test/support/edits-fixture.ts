import { expect } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { createAccount, registerApp, createMarker, issueTokens, type TestApp } from './factories.js';
import { type TestResponse, TestServer } from './test-server.js';

/** An author, a moderator, a region and an artwork, and the calls of the Edits API. */
export class EditsFixture {
  authorToken!: string;
  moderatorToken!: string;
  artwork!: Marker;

  private constructor(
    readonly server: TestServer,
    readonly client: TestApp,
    readonly authorAccount: Account,
  ) {}

  static async start(): Promise<EditsFixture> {
    const service = await TestServer.start();
    await service.get(RegionsService).findOrCreate('Halvenstad', [4.8, 52, 5.2, 52.3]);
    const fixture = new EditsFixture(service, await registerApp(service), await createAccount(service));
    fixture.authorToken = await fixture.issueAccessToken(fixture.authorAccount);
    fixture.moderatorToken = await fixture.issueAccessToken(await createAccount(service, { role: 'moderator' }));
    return fixture;
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

  async suggestEdit(body: Record<string, unknown>, token = this.authorToken): Promise<string> {
    const answer = await this.post('', token, body);
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  }

  findMarker(id = this.artwork.id): Promise<Marker> {
    return this.server.entityManager.findOneOrFail(Marker, { where: { id }, relations: { artists: true } });
  }
}

export function expectApiError({ status, body }: TestResponse, wanted: number, code: string, reason?: string): void {
  expect({ status, code: body.code, reason: body.reason }).toEqual({ status: wanted, code, reason });
  expect(body.error).toMatch(/\.$/);
}
