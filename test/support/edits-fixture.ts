import { expect } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { Marker } from '../../src/markers/marker.entity.js';
import { RegionsService } from '../../src/markers/regions.service.js';
import type { Scope } from '../../src/scopes/catalogue.js';
import { newAccount, newApp, newMarker, newTokens, type TestApp } from './factories.js';
import { type Answer, Service } from './service.js';

/** An author, a moderator, a region and an artwork, and the calls of the Edits API. */
export class EditsFixture {
  author!: string;
  moderator!: string;
  artwork!: Marker;

  private constructor(
    readonly service: Service,
    readonly client: TestApp,
    readonly authorAccount: Account,
  ) {}

  static async start(): Promise<EditsFixture> {
    const service = await Service.start();
    await service.get(RegionsService).create('Halvenstad', [4.8, 52, 5.2, 52.3]);
    const fixture = new EditsFixture(service, await newApp(service), await newAccount(service));
    fixture.author = await fixture.tokenOf(fixture.authorAccount);
    fixture.moderator = await fixture.tokenOf(await newAccount(service, { role: 'moderator' }));
    return fixture;
  }

  async newArtwork(): Promise<void> {
    this.artwork = await newMarker(this.service, { title: 'Echo Wall', year: 2019 });
  }

  async tokenOf(account: Account, scopes?: Scope[]): Promise<string> {
    const tokens = await newTokens(this.service, { app: this.client.app, account, ...(scopes && { scopes }) });
    return tokens.access_token;
  }

  post(path: string, token: string, body: unknown = {}): Promise<Answer> {
    return this.service.call('POST', `/api/edits${path}`, { token, body });
  }

  get(path: string, token: string): Promise<Answer> {
    return this.service.call('GET', `/api/edits${path}`, { token });
  }

  update(changes: Record<string, unknown>, target = this.artwork): Record<string, unknown> {
    const { id, version } = target;
    return { type: 'update', targetType: 'artwork', targetId: id, baseVersion: version, changes };
  }

  deletion(): Record<string, unknown> {
    return { ...this.update({}), type: 'delete', changes: undefined };
  }

  async suggest(body: Record<string, unknown>, token = this.author): Promise<string> {
    const answer = await this.post('', token, body);
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  }

  marker(id = this.artwork.id): Promise<Marker> {
    return this.service.database.findOneOrFail(Marker, { where: { id }, relations: { artists: true } });
  }
}

export function expectRefused({ status, body }: Answer, wanted: number, code: string, reason?: string): void {
  expect({ status, code: body.code, reason: body.reason }).toEqual({ status: wanted, code, reason });
  expect(body.error).toMatch(/\.$/);
}
