import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { advanceClock } from '../support/fake-clock.js';
import { PersonWithData } from '../support/person-with-data.js';
import { TestServer } from '../support/test-server.js';

const PATH = '/account/export';

describe('Account export', () => {
  let server: TestServer;
  let person: PersonWithData;
  let other: PersonWithData;

  beforeAll(async () => {
    server = await TestServer.start({ TRUST_PROXY: 'true' });
    [person, other] = [
      await PersonWithData.create(server, 'exporter'),
      await PersonWithData.create(server, 'neighbor'),
    ];
  });
  afterAll(() => server.stop());

  const download = async (fields: Record<string, string> = {}): Promise<PageResponse> =>
    person.browser.submitForm(await person.browser.get(PATH), PATH, fields);

  const countExports = (): Promise<number> =>
    server.entityManager.countBy(AuditEvent, { accountId: person.account.id, type: 'account.exported' });

  it('requires a session', async () => {
    const stranger = new BrowserClient(server);
    for (const response of [await stranger.get(PATH), await stranger.post(PATH, {})])
      expect(response).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in/) });
  });

  it('is a JSON file with all data about the person, which no cache stores', async () => {
    const { status, headers, html } = await download();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('content-disposition')).toBe('attachment; filename=street-art-map.json');
    expect(headers.get('cache-control')).toBe('no-store');
    const { username, email, name, ipAddress, userAgent } = person.identity;
    const { id: clientId, name: clientName } = person.connectedApp.app;
    const record = { at: expect.any(String), client: { id: clientId, name: clientName } };
    expect(JSON.parse(html)).toEqual({
      exported_at: expect.any(String),
      account: expect.objectContaining({ id: person.account.id, username, email, name }),
      sessions: [expect.objectContaining({ network: ipAddress, user_agent: userAgent })],
      activity: expect.arrayContaining([expect.objectContaining({ type: 'session.created', from: ipAddress })]),
      own_apps: [expect.objectContaining({ client_id: person.ownApp.app.id, failed_calls: [] })],
      connected_apps: {
        consents: [],
        sign_ins: [expect.objectContaining({ app: expect.objectContaining({ id: person.connectedApp.app.id }) })],
      },
      known_browsers: [expect.anything()],
      links: [],
      emails: expect.any(Array),
      passkeys: [],
      picture: [],
      history: [expect.objectContaining({ edit: person.acceptedEditId, version: 2 })],
      collections: [
        expect.objectContaining({
          id: person.collectionId,
          items: [expect.objectContaining({ marker: person.markerId })],
        }),
      ],
      appRecord: [
        { ...record, action: 'collection.created', target: { type: 'collection', id: person.collectionId } },
        { ...record, action: 'collection.items_added', target: { type: 'collection', id: person.collectionId } },
        { ...record, action: 'edit.suggested', target: { type: 'edit', id: person.acceptedEditId } },
        { ...record, action: 'edit.suggested', target: { type: 'edit', id: person.openEditId } },
      ],
      edits: {
        suggested: [
          expect.objectContaining({ id: person.acceptedEditId, status: 'accepted' }),
          expect.objectContaining({ id: person.openEditId, status: 'open' }),
        ],
        reviewed: [],
      },
    });
  });

  it('has no secret, no digest and no data of other people', async () => {
    const { html } = await download();
    const { secretDigest } = person.ownApp.app;
    const { client_secret } = person.ownApp.credentials;
    const session = person.browser.getCookie('__Host-session')!;
    const secrets = [person.refreshToken, person.accessToken, client_secret, secretDigest, session, '$argon2'];
    const { username, email, name, ipAddress } = other.identity;
    for (const text of [...secrets, username, email, name, ipAddress, other.account.id])
      expect(html).not.toContain(text);
    expect(html).not.toMatch(/"[^"]*(digest|hash|secret)[^"]*":/);
  });

  it('is recorded in the account activity', async () => {
    const before = await countExports();
    await download();
    expect(await countExports()).toBe(before + 1);
    expect((await person.browser.get('/account/activity')).html).toContain('Your data was exported.');
  });

  it('asks for the password if it was entered more than 10 minutes ago', async () => {
    expect((await person.browser.get(PATH)).html).not.toContain('type="password"');
    advanceClock(11 * 60_000);
    expect((await person.browser.get(PATH)).html).toContain('type="password"');
    const before = await countExports();
    for (const password of ['', 'wrong horse']) {
      const response = await download({ password });
      expect(response).toMatchObject({ status: 422, html: expect.stringContaining('type="password"') });
    }
    expect(await countExports()).toBe(before);
    expect((await download({ password: 'correct horse' })).status).toBe(200);
    expect((await download()).status).toBe(200);
  });
});
