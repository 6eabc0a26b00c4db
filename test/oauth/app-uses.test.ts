import { afterEach, describe, expect, it } from '@jest/globals';
import { DeletionService } from '../../src/identity/accounts/deletion/deletion.service.js';
import { ExportService } from '../../src/identity/accounts/export/export.service.js';
import { AppUseWriterService } from '../../src/identity/oauth/connected-apps/app-use-writer.service.js';
import { AppUse } from '../../src/identity/oauth/connected-apps/app-use.entity.js';
import { AppUseBufferService } from '../../src/identity/scopes/app-use-buffer.service.js';
import { issueTokens } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, setClock } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

/** Half an hour before midnight of the first day. */
const FIRST_USE_MS = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 23.5 * 3600_000;
const [FIRST_DAY, SECOND_DAY] = [0, 1].map((days) =>
  new Date(FIRST_USE_MS + days * DAY_MS).toISOString().slice(0, 10),
) as [string, string];

describe('The last use of an app', () => {
  const fixture = OAuthFixture.use();
  afterEach(restoreClock);

  const call = async (token: unknown): Promise<number> =>
    (await fixture.server.request('GET', '/api/markers', { token: token as string })).status;
  const flush = (): Promise<void> => fixture.server.get(AppUseWriterService).flush();
  const listUses = async (): Promise<string[]> => {
    await flush();
    const uses = await fixture.server.entityManager.findBy(AppUse, { accountId: fixture.account.id });
    return uses.map(({ lastUsedOn }) => lastUsedOn);
  };
  /** Returns the state of the only app in the list of connected apps. */
  const readState = async (): Promise<string> => {
    const { html } = await fixture.browser.get('/account/apps');
    return /<p class="secondary">(.*?) · <a /.exec(html)![1]!.replace(/<[^>]*>/g, '');
  };

  it('is the day of the last API call, in UTC', async () => {
    setClock(FIRST_USE_MS);
    const { body } = await fixture.authorizeApp();
    expect(await readState()).toBe('Not used yet');
    expect(await call(body.access_token)).toBe(200);
    expect(await listUses()).toEqual([FIRST_DAY]);
    expect(await readState()).toBe('Last used today');
    advanceClock(DAY_MS / 24);
    expect(await readState()).toBe('Last used yesterday');
    const refreshed = await fixture.refreshTokens(body.refresh_token as string);
    expect(await listUses()).toEqual([FIRST_DAY]);
    expect(await call(refreshed.body.access_token)).toBe(200);
    expect(await listUses()).toEqual([SECOND_DAY]);
    expect(await readState()).toBe('Last used today');
    advanceClock(8 * DAY_MS);
    expect(await readState()).toMatch(/^Last used \w+ \d+, \d{4}$/);
  });

  it('does not change after a rejected call', async () => {
    const { access_token } = await issueTokens(fixture.server, {
      app: fixture.app.app,
      account: fixture.account,
      scopes: ['profile'],
    });
    expect(await call(access_token)).toBe(403);
    expect(await call(`${access_token}x`)).toBe(401);
    expect(await listUses()).toEqual([]);
  });

  it('is not replaced by an older day that another process writes later', async () => {
    const uses = fixture.server.get(AppUseBufferService);
    const { account, app } = fixture;
    const caller = { accountId: account.id, appId: app.app.id, scopes: new Set<never>(), issuedAtMs: Date.now() };
    setClock(FIRST_USE_MS + DAY_MS);
    uses.record(caller);
    expect(await listUses()).toEqual([SECOND_DAY]);
    setClock(FIRST_USE_MS);
    uses.record(caller);
    expect(await listUses()).toEqual([SECOND_DAY]);
  });

  it('is deleted with the account, and is not written after it', async () => {
    const { body } = await fixture.authorizeApp();
    await call(body.access_token);
    expect(await listUses()).toHaveLength(1);
    advanceClock(DAY_MS);
    const refreshed = await fixture.refreshTokens(body.refresh_token as string);
    await call(refreshed.body.access_token);
    await fixture.server.get(DeletionService).delete(fixture.account);
    expect(await listUses()).toEqual([]);
  });

  it('is in the export of the account', async () => {
    setClock(FIRST_USE_MS);
    const { body } = await fixture.authorizeApp();
    await call(body.access_token);
    await flush();
    const data = await fixture.server.get(ExportService).export(fixture.account.id);
    const app = { id: fixture.app.app.id, name: fixture.app.app.name };
    expect(data).toMatchObject({ connected_apps: { consents: [{ app, last_used_on: FIRST_DAY }] } });
  });
});
