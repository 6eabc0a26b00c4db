import { describe, expect, it } from '@jest/globals';
import { ModerationService } from '../../src/app/moderation/moderation.service.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { expectStatus, ModerationFixture, REASON } from '../support/moderation-fixture.js';
import { StalledRequest } from '../support/stalled-request.js';

describe('The pages of moderators', () => {
  const moderation = ModerationFixture.use();

  describe('are closed to', () => {
    it.each([{ role: 'member' }, { role: 'trusted' }] as const)('a $role', async ({ role }) => {
      const author = await createAccount(moderation.server);
      const ids = await moderation.suggest(author);
      const [, other] = await moderation.signIn({ role });
      const page = await other.get('/moderation');
      expect(page.status).toBe(403);
      expect(page.html).toContain('This page is for moderators of the map.');
      await expectStatus(other.get(moderation.appPath), 403);
      await expectStatus(other.post(`${moderation.appPath}/reject`, { reason: REASON }), 403);
      await expectStatus(
        other.post(`${moderation.getAuthorPath(author)}/block`, { reason: REASON, until: '2100-01-01' }),
        403,
      );
      await expectStatus(other.post(`${moderation.appPath}/disable`, {}), 403);
      await expectStatus(other.post('/moderation/locks', { target: moderation.markers[0].id, what: 'lock' }), 403);
      expect(await moderation.countByStatus(ids)).toEqual({ open: 1 });
      expect((await other.get('/account')).html).not.toContain('/moderation');
    });

    it('a visitor, who signs in and returns', async () => {
      const { location } = await new BrowserClient(moderation.server).get('/moderation');
      expect(location).toBe('/sign-in?return_to=%2Fmoderation');
    });

    it('a blocked moderator', async () => {
      await moderation.server.get(AccountsService).block(moderation.moderator.username, REASON);
      const page = await moderation.browser.get('/moderation');
      expect(page.status).toBe(403);
      expect(page.html).toContain('Your account is blocked');
    });
  });

  it('show only what is in the regions of the moderator, and act only on it', async () => {
    const [author, elsewhere] = [await createAccount(moderation.server), await createAccount(moderation.server)];
    const [ids, otherIds] = [
      await moderation.suggest(author),
      await moderation.suggest(elsewhere, { marker: moderation.markers[1] }),
    ];
    const [, local] = await moderation.signIn({ role: 'moderator', regions: [moderation.regions[0]!.id] });
    const { html } = await local.get('/moderation');
    expect(html).toContain(author.username);
    expect(html).not.toContain(elsewhere.username);
    await expectStatus(local.get(moderation.getAuthorPath(elsewhere)), 404);
    await expectStatus(
      local.post(`${moderation.getAuthorPath(elsewhere)}/block`, { reason: REASON, until: '2100-01-01' }),
      404,
    );
    await expectStatus(local.post('/moderation/locks', { target: moderation.markers[1].id, what: 'lock' }), 404);
    await expectStatus(local.get(`/moderation/locks?target=${moderation.markers[1].id}&what=lock`), 404);
    expect((await local.get(moderation.appPath)).html).not.toContain('Disable app');
    await expectStatus(local.post(`${moderation.appPath}/disable`, {}), 403);
    await expectStatus(local.post(`${moderation.appPath}/reject`, { reason: REASON }), 303);
    expect(await moderation.countByStatus([...ids, ...otherIds])).toEqual({ rejected: 1, open: 1 });
    const events = await moderation.listEvents(elsewhere.id);
    expect(events.filter((event) => event.startsWith('account.blocked'))).toEqual([]);
  });

  it('do not tell the blocked person where the moderator is', async () => {
    const author = await createAccount(moderation.server);
    await moderation.suggest(author);
    await moderation.browser.post(`${moderation.getAuthorPath(author)}/block`, { reason: REASON, until: '2100-01-31' });
    const [event] = await moderation.server.entityManager.findBy(AuditEvent, {
      accountId: author.id,
      type: 'account.blocked',
    });
    expect(event!.ipAddress).toBeNull();
    const [own] = await moderation.server.entityManager.findBy(AuditEvent, {
      accountId: moderation.moderator.id,
      detail: author.id,
    });
    expect(own!.ipAddress).not.toBeNull();
  });

  it('do not replace a block of the operator that began meanwhile', async () => {
    const author = await createAccount(moderation.server);
    await moderation.suggest(author);
    const service = moderation.server.get(ModerationService);
    const contributor = await service.getContributor(moderation.moderator, 'authors', author.id);
    await moderation.server.get(AccountsService).block(author.username, 'By the operator.');
    const form = new URLSearchParams({ reason: REASON, until: '2100-01-31' });
    await expect(service.block(moderation.moderator, contributor, form)).rejects.toMatchObject({ kind: 'forbidden' });
    const found = await moderation.findAccount(author);
    expect(found).toMatchObject({ blockedReason: 'By the operator.', blockedUntil: null });
    expect(await moderation.listEvents(moderation.moderator.id)).toEqual([]);
  });

  it('do nothing for a person who lost the role while the form was sent', async () => {
    const author = await createAccount(moderation.server);
    const ids = await moderation.suggest(author);
    const body = new URLSearchParams({
      reason: REASON,
      until: '2100-01-31',
      target: moderation.markers[0].id,
      what: 'lock',
    });
    for (const path of [
      `${moderation.getAuthorPath(author)}/block`,
      `${moderation.appPath}/reject`,
      `${moderation.appPath}/disable`,
      '/moderation/locks',
    ]) {
      const [demoted, client] = await moderation.signIn({ role: 'moderator' });
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded',
        Cookie: `__Host-session=${client.getCookie('__Host-session')}`,
      };
      const request = await StalledRequest.open(`${moderation.server.url}${path}`, body.toString(), headers);
      await moderation.server.get(AccountsService).setRole(demoted.username, 'member', []);
      expect({ path, ...(await request.finish()) }).toEqual({ path, status: 403, location: undefined });
    }
    expect(await moderation.countByStatus(ids)).toEqual({ open: 1 });
    expect((await moderation.findAccount(author)).blockedAt).toBeNull();
  });

  it('do not count a move out of the regions of the moderator', async () => {
    const author = await createAccount(moderation.server);
    await moderation.suggest(author, { changes: { location: { lat: 52.1, lon: 6.1 } } });
    const [, local] = await moderation.signIn({ role: 'moderator', regions: [moderation.regions[0]!.id] });
    await expectStatus(local.get(moderation.getAuthorPath(author)), 404);
    expect((await moderation.browser.get(moderation.getAuthorPath(author))).html).toContain('Open: 1');
  });

  it('do not block another moderator', async () => {
    const other = await createAccount(moderation.server, { role: 'moderator' });
    await moderation.suggest(other);
    expect((await moderation.browser.get(moderation.getAuthorPath(other))).html).not.toContain('Block until …');
    await expectStatus(
      moderation.browser.post(`${moderation.getAuthorPath(other)}/block`, { reason: REASON, until: '2100-01-01' }),
      403,
    );
    expect((await moderation.findAccount(other)).blockedAt).toBeNull();
  });
});
