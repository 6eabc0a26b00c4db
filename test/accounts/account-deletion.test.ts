import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, issueTokens } from '../support/factories.js';
import { advanceClock } from '../support/fake-clock.js';
import { PersonWithData } from '../support/person-with-data.js';
import { readQueuedMail } from '../support/queued-mail.js';
import { TestServer } from '../support/test-server.js';

const DAY_MS = 24 * 3600_000;

describe('Account deletion', () => {
  let server: TestServer;
  let person: PersonWithData;
  let sequence = 0;

  beforeAll(async () => {
    server = await TestServer.start({ TRUST_PROXY: 'true' });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await PersonWithData.create(server, `leaver${++sequence}`);
  });

  const findAccount = (): Promise<Account> => server.entityManager.findOneByOrFail(Account, { id: person.account.id });

  const signUp = (username: string, email: string): Promise<{ status: number; html: string }> =>
    new BrowserClient(server).post('/sign-up', { username, email, name: 'New', password: 'violet harbor 77' });

  it('requires a session', async () => {
    const stranger = new BrowserClient(server);
    for (const response of [await stranger.get('/account/delete'), await stranger.post('/account/delete', {})])
      expect(response).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in/) });
  });

  it.each([
    ['without the password', ''],
    ['with a wrong password', 'wrong horse'],
  ])('changes nothing %s', async (_, password) => {
    const before = await findAccount();
    const response = await person.delete(password);
    expect(response).toMatchObject({ status: 422, html: expect.stringContaining('role="alert"') });
    expect(response.html).not.toContain('wrong horse');
    expect(await findAccount()).toEqual(before);
    expect((await person.refresh()).status).toBe(200);
  });

  it('lists the apps of the person, with the number of users of each', async () => {
    const { html } = await person.browser.get('/account/delete');
    expect(html).toContain(`Walks of ${person.identity.username} (people who use it: 0)`);
    expect(html).not.toContain(person.connectedApp.app.name);
  });

  it('ends the sessions, and rejects the old password', async () => {
    const otherBrowser = await person.openBrowser();
    const response = await person.delete();
    expect(response).toMatchObject({ status: 303, location: '/account/deleted' });
    expect(person.browser.getCookie('__Host-session')).toBeUndefined();
    const { status, html } = await person.browser.get(response.location!);
    expect({ status, named: html.includes(person.identity.name) }).toEqual({ status: 200, named: false });
    expect((await otherBrowser.get('/account/apps')).status).toBe(303);
    for (const username of [person.identity.username, person.identity.email, (await findAccount()).username]) {
      const page = await new BrowserClient(server).post('/sign-in', { username, password: 'correct horse' });
      expect(page.status).not.toBe(303);
    }
  });

  it('rejects live access tokens with invalid_token, and refresh tokens with invalid_grant', async () => {
    await person.delete();
    const paths = ['/api/oauth/userinfo', '/api/collections', '/api/edits/mine', '/api/markers'];
    for (const path of paths) {
      const { status, body, headers } = await person.request('GET', path);
      expect({ path, status, code: body.code }).toEqual({ path, status: 401, code: 'token_invalid' });
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    expect((await person.request('POST', '/api/collections', { name: 'After' })).status).toBe(401);
    expect(await person.refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('deletes the apps of the person for all their users', async () => {
    const { app, credentials } = person.ownApp;
    const other = await createAccount(server);
    const tokens = await issueTokens(server, { app, account: other });
    const otherBrowser = await openSignedInBrowser(server, other);
    expect((await otherBrowser.get('/account/apps')).html).toContain(app.name);
    await person.delete();
    const api = await server.request('GET', '/api/markers', { token: tokens.access_token });
    expect(api).toMatchObject({ status: 403, body: { code: 'app_disabled' } });
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...credentials };
    expect(await server.request('POST', '/api/oauth/token', { body })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await otherBrowser.get('/account/apps')).html).not.toContain(app.name);
  });

  it('deletes the apps of the person for good: no command enables them again', async () => {
    await person.delete();
    const { id } = person.ownApp.app;
    await expect(server.get(AppsService).enable(id)).rejects.toThrow(`The app ${id} was deleted.`);
    expect(await server.entityManager.findOneByOrFail(App, { id })).toMatchObject({ disabledAt: expect.any(Date) });
  });

  it('deletes collections, withdraws open edits, and shows the author of other edits as deleted', async () => {
    const token = await person.issueModeratorToken();
    await person.delete();
    expect((await server.request('GET', `/api/collections/${person.collectionId}`)).status).toBe(404);
    const author = { id: 'usr_deleted', username: 'deleted' };
    const ids = [person.acceptedEditId, person.openEditId];
    const { body: views } = await person.request('POST', '/api/edits/views', { ids }, token);
    expect(views.data).toEqual([
      expect.objectContaining({ authorBlocked: false, edit: expect.objectContaining({ author, status: 'accepted' }) }),
      expect.objectContaining({ edit: expect.objectContaining({ author, status: 'withdrawn', decidedBy: author }) }),
    ]);
    const { body: history } = await person.request('GET', `/api/markers/${person.markerId}/history`, undefined, token);
    expect(history.data[0]).toMatchObject({ editId: person.acceptedEditId, author });
    const late = await person.request('POST', `/api/edits/${person.openEditId}/accept`, {}, token);
    expect(late).toMatchObject({ status: 409, body: { code: 'edit_not_open' } });
    expect(late.body.error).toContain('withdrawn');
    const { body: marker } = await person.request('GET', `/api/markers/${person.markerId}`, undefined, token);
    expect(marker.openEditCount).toBe(0);
  });

  it('reserves the username and the e-mail address for 30 days', async () => {
    const { username, email } = person.identity;
    await person.delete();
    expect((await signUp(username.toUpperCase(), 'fresh@example.org')).html).toContain('This username is taken');
    expect((await signUp('fresh', email)).html).toContain('already exists');
    advanceClock(29 * DAY_MS);
    expect((await signUp(username, 'fresh@example.org')).status).toBe(422);
    advanceClock(2 * DAY_MS);
    expect((await signUp(username, email)).status).toBe(303);
  });

  it('keeps a blocked person from registering again at once', async () => {
    await server.get(AccountsService).block(person.identity.username, 'Spam.');
    expect((await person.delete()).status).toBe(303);
    expect((await signUp(person.identity.username, person.identity.email)).status).toBe(422);
    await expect(server.get(AccountsService).unblock(person.identity.username)).rejects.toThrow(/no account/);
  });

  it('tells the person by e-mail at the old address', async () => {
    await person.delete();
    const mails = (await readQueuedMail(server)).filter(({ email }) => email === person.identity.email);
    expect(mails.map(({ kind }) => kind)).toEqual(['accountDeleted']);
  });

  it('deletes once when the form is sent several times', async () => {
    const page = await person.browser.get('/account/delete');
    const responses = await Promise.all(
      [1, 2, 3].map(() => person.browser.submitForm(page, '/account/delete', { password: 'correct horse' })),
    );
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
    const where = { accountId: person.account.id, type: 'account.deleted' } as const;
    expect(await server.entityManager.countBy(AuditEvent, where)).toBe(1);
  });
});
