import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { Region } from '../../src/map/regions/region.entity.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { BrowserClient, type PageResponse } from './browser-client.js';
import { createAccount, createMarker, issueTokens, registerApp, type TestApp } from './factories.js';
import { TestServer } from './test-server.js';

/** A moderator with a session, an app, and an artwork in each of two regions. */
export class ModerationFixture {
  server!: TestServer;
  regions!: Region[];
  rogue!: TestApp;
  markers!: [Marker, Marker];
  moderator!: Account;
  browser!: BrowserClient;

  /** Starts the service for the file; each test gets another app, moderator and artworks. */
  static use(): ModerationFixture {
    const fixture = new ModerationFixture();
    beforeAll(() => fixture.start());
    beforeEach(() => fixture.reset());
    afterAll(() => fixture.server.stop());
    return fixture;
  }

  private async start(): Promise<void> {
    this.server = await TestServer.start();
    const service = this.server.get(RegionsService);
    await service.findOrCreate('Halvenstad', [4.8, 52, 5.2, 52.3]);
    await service.findOrCreate('Elsewhere', [6, 52, 6.4, 52.3]);
    this.regions = await this.server.entityManager.find(Region, { order: { west: 'ASC' } });
  }

  private async reset(): Promise<void> {
    this.rogue = await registerApp(this.server);
    const elsewhere = { lat: 52.1, lon: 6.1 };
    this.markers = [await createMarker(this.server), await createMarker(this.server, { location: elsewhere })];
    [this.moderator, this.browser] = await this.signIn({ role: 'moderator' });
  }

  async signIn(overrides: Parameters<typeof createAccount>[1]): Promise<[Account, BrowserClient]> {
    const account = await createAccount(this.server, overrides);
    const client = new BrowserClient(this.server);
    await client.signIn(account);
    return [account, client];
  }

  /** Suggests changes of an artwork: years, or the given ones. @returns the ids of the edits */
  async suggest(
    author: Account,
    { app = this.rogue, marker = this.markers[0], count = 1, changes = {} } = {},
  ): Promise<string[]> {
    const token = (await issueTokens(this.server, { app: app.app, account: author })).access_token;
    const target = { type: 'update', targetType: 'artwork', targetId: marker.id, baseVersion: 1 };
    const ids: string[] = [];
    for (let year = 1990; year < 1990 + count; year++) {
      const edit = { ...target, changes: { year, ...changes } };
      const { status, body } = await this.server.request('POST', '/api/edits', { token, body: edit });
      expect({ status, error: body.error }).toEqual({ status: 201 });
      ids.push(body.id as string);
    }
    return ids;
  }

  async countByStatus(ids: string[]): Promise<Record<string, number>> {
    const edits = await Promise.all(ids.map((id) => this.server.entityManager.findOneByOrFail(Edit, { id })));
    const counts: Record<string, number> = {};
    for (const { status } of edits) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** Returns the events of an account except those of sessions, in alphabetical order. */
  async listEvents(accountId: string): Promise<string[]> {
    const events = await this.server.entityManager.findBy(AuditEvent, { accountId });
    const texts = events.map(({ type, detail }) => `${type} ${detail}`);
    return texts.filter((text) => !text.startsWith('session')).sort();
  }

  findAccount({ id }: Account): Promise<Account> {
    return this.server.entityManager.findOneByOrFail(Account, { id });
  }

  get appPath(): string {
    return `/moderation/apps/${this.rogue.app.id}`;
  }

  getAuthorPath({ id }: Account): string {
    return `/moderation/authors/${id}`;
  }
}

/** A reason that the forms accept. */
export const REASON = 'Advertisements for one shop.';

/** Expects the status of a response. */
export async function expectStatus(response: Promise<PageResponse>, status: number): Promise<void> {
  expect((await response).status).toBe(status);
}

/** Returns the address of the next page of a list. */
export function findNextPage({ html }: PageResponse): string {
  return /rel="next" href="([^"]*)"/.exec(html)![1]!.replaceAll('&amp;', '&');
}
