import { afterEach, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { SessionsService } from '../../src/identity/accounts/sessions/sessions.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { generateId } from '../../src/platform/database/ids.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const SESSIONS_PATH = '/account/sessions';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('Sessions page', () => {
  const fixture = OAuthFixture.use();
  afterEach(restoreClock);

  const listSessions = (): Promise<Session[]> => fixture.server.get(SessionsService).list(fixture.account.id);
  const signInElsewhere = async (): Promise<{ browser: BrowserClient; id: string }> => {
    const before = new Set((await listSessions()).map(({ id }) => id));
    const browser = new BrowserClient(fixture.server, { 'User-Agent': FIREFOX });
    await browser.signIn(fixture.account);
    return { browser, id: (await listSessions()).find(({ id }) => !before.has(id))!.id };
  };
  const isSignedIn = async (browser: BrowserClient): Promise<boolean> =>
    (await browser.get(SESSIONS_PATH)).status === 200;
  const countRows = ({ html }: PageResponse): number => html.split('name="session"').length - 1;

  it('shows at most 50 sessions: a further sign-in ends the oldest', async () => {
    const second = await signInElsewhere();
    for (let count = 0; count < 48; count++) await signInElsewhere();
    expect(await isSignedIn(fixture.browser)).toBe(true);
    await signInElsewhere();
    expect(await listSessions()).toHaveLength(50);
    expect(await isSignedIn(fixture.browser)).toBe(false);
    expect(await isSignedIn(second.browser)).toBe(true);
  });

  describe('rejects', () => {
    it('a request without a session', async () => {
      const stranger = new BrowserClient(fixture.server);
      const expected = { status: 303, location: '/sign-in?return_to=%2Faccount%2Fsessions' };
      expect(await stranger.get(SESSIONS_PATH)).toMatchObject(expected);
      expect(await stranger.post(SESSIONS_PATH, { session: (await listSessions())[0]!.id })).toMatchObject(expected);
      expect(await stranger.post(`${SESSIONS_PATH}/end-others`, {})).toMatchObject(expected);
      expect(await isSignedIn(fixture.browser)).toBe(true);
    });

    it('a form from another site', async () => {
      const { browser, id } = await signInElsewhere();
      const headers = { Origin: 'https://evil.example' };
      expect((await fixture.browser.post(SESSIONS_PATH, { session: id }, headers)).status).toBe(403);
      expect((await fixture.browser.post(`${SESSIONS_PATH}/end-others`, {}, headers)).status).toBe(403);
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('the session of another account, with the answer for an unknown one', async () => {
      const stranger = await fixture.openOtherBrowser();
      const [own] = await listSessions();
      const ids = [own!.id, generateId('ses'), '', '\0', 'x'.repeat(5000)];
      for (const session of ids) {
        const { status, location } = await stranger.post(SESSIONS_PATH, { session });
        expect({ status, location }).toEqual({ status: 303, location: `${SESSIONS_PATH}?done=alreadyEnded` });
      }
      expect(await isSignedIn(fixture.browser)).toBe(true);
      expect((await stranger.get(SESSIONS_PATH)).html).not.toContain(own!.id);
    });

    it('the digest of a session in place of its id', async () => {
      const { browser, id } = await signInElsewhere();
      const { digest } = (await listSessions()).find((session) => session.id === id)!;
      expect((await fixture.browser.post(SESSIONS_PATH, { session: digest })).location).toContain('alreadyEnded');
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('a session that ended elsewhere', async () => {
      const { browser, id } = await signInElsewhere();
      await fixture.server.get(SessionsService).endById(fixture.account.id, id);
      expect((await browser.post(SESSIONS_PATH, { session: id })).location).toMatch(/^\/sign-in\?/);
      const { location } = await fixture.browser.post(SESSIONS_PATH, { session: id });
      expect((await fixture.browser.get(location!)).html).toContain('That browser was already signed out.');
    });

    it('a session that ended because 50 newer ones began, and ends no session of another account', async () => {
      const stranger = await fixture.openOtherBrowser();
      const { browser: oldest } = await signInElsewhere();
      advanceClock(1000);
      const { browser: next } = await signInElsewhere();
      const [newest] = await listSessions();
      const copies = Array.from({ length: 47 }, (_, index) => ({
        ...newest!,
        digest: `${newest!.id} ${index}`,
        id: generateId('ses'),
      }));
      await fixture.server.get(TransactionService).run((tx) => tx.insert(Session, copies));
      expect(await listSessions()).toHaveLength(50);
      advanceClock(2000);
      const [{ browser: last }] = await Promise.all([signInElsewhere(), signInElsewhere()]);
      expect(await listSessions()).toHaveLength(50);
      expect(await isSignedIn(oldest)).toBe(false);
      for (const browser of [next, last, stranger]) expect(await isSignedIn(browser)).toBe(true);
    });

    it('an expired session, and does not list it', async () => {
      const { browser } = await signInElsewhere();
      advanceClock(13 * DAY_MS);
      await fixture.browser.signIn(fixture.account);
      advanceClock(2 * DAY_MS);
      expect(await isSignedIn(browser)).toBe(false);
      expect(countRows(await fixture.browser.get(SESSIONS_PATH))).toBe(1);
    });

    it('an unknown message in its address', async () => {
      const { html } = await fixture.browser.get(`${SESSIONS_PATH}?done=title`);
      expect(html).not.toContain('role="status"');
    });
  });

  it('lists browser, network and times of each session, and marks the own one', async () => {
    const { id } = await signInElsewhere();
    const { html } = await fixture.browser.get(SESSIONS_PATH);
    const rows = html.split('<li>').slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('This browser');
    expect(rows[0]).toContain('Unknown browser');
    expect(rows[1]).toContain('Firefox (Linux)');
    expect(rows[1]).toContain(id);
    expect(rows[1]).not.toContain('This browser');
    for (const row of rows) {
      expect(row).toMatch(/<dt>IP address<\/dt><dd>(::ffff:)?127\.0\.0\.1<\/dd>/);
      expect(row).toMatch(/<dt>Signed in<\/dt><dd><time datetime="[^"]+" title="[^"]+ UTC">now<\/time><\/dd>/);
      expect(row).toMatch(/<dt>Last seen<\/dt><dd><time /);
    }
  });

  it('ends one session, confirms it, and records it', async () => {
    const [first, second] = [await signInElsewhere(), await signInElsewhere()];
    const { location } = await fixture.browser.post(SESSIONS_PATH, { session: first.id });
    const page = await fixture.browser.get(location!);
    expect(page.html).toContain('<p class="success" role="status">That browser is signed out.</p>');
    expect([await isSignedIn(first.browser), await isSignedIn(second.browser)]).toEqual([false, true]);
    const where = { accountId: fixture.account.id, type: 'session.ended' as const };
    expect(await fixture.server.entityManager.findBy(AuditEvent, where)).toMatchObject([{ detail: 'Firefox (Linux)' }]);
  });

  it('ends all sessions except the own one', async () => {
    const elsewhere = [await signInElsewhere(), await signInElsewhere()];
    const stranger = await fixture.openOtherBrowser();
    const page = await fixture.browser.get(SESSIONS_PATH);
    const { location } = await fixture.browser.submitForm(page, `${SESSIONS_PATH}/end-others`);
    const after = await fixture.browser.get(location!);
    expect(after.html).toContain('All other browsers are signed out.');
    expect(after.html).not.toContain('Sign out everywhere else');
    for (const { browser } of elsewhere) expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(stranger)).toBe(true);
  });

  it('redirects to the sign-in page when the own session ends', async () => {
    const [own] = await listSessions();
    const page = await fixture.browser.get(SESSIONS_PATH);
    const { status, location } = await fixture.browser.submitForm(page, SESSIONS_PATH);
    expect({ status, location }).toEqual({ status: 303, location: '/sign-in' });
    expect(fixture.browser.getCookie('__Host-session')).toBeUndefined();
    expect((await listSessions()).map(({ id }) => id)).not.toContain(own!.id);
  });

  it('shows the own session and the 50 others that were used last', async () => {
    const [template] = await listSessions();
    const now = Date.now();
    await fixture.server.get(TransactionService).run(async (tx) => {
      for (let count = 1; count <= 120; count++) {
        const lastSeenAt = new Date(now + count);
        const digest = String(count).padStart(43, '0');
        await tx.insert(Session, { ...template!, digest, id: generateId('ses'), lastSeenAt });
      }
    });
    const page = await fixture.browser.get(SESSIONS_PATH);
    expect(countRows(page)).toBe(51);
    expect(page.html).toContain('This browser');
    expect(page.html).toContain('Sessions that are not shown: 70');
    await fixture.browser.post(`${SESSIONS_PATH}/end-others`, {});
    expect(await listSessions()).toHaveLength(1);
  });
});
