import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Passkey } from '../../src/identity/accounts/passkeys/passkey.entity.js';
import { PasskeysStore } from '../../src/identity/accounts/passkeys/passkeys.store.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, type PageResponse } from '../support/browser-client.js';
import { createAccount, TEST_PASSWORD } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import {
  addPasskey,
  PASSKEYS_PATH,
  requestCreationOptions,
  requestSignInOptions,
  signInWithPasskey,
} from '../support/passkey-fixture.js';
import { readQueuedMail } from '../support/queued-mail.js';
import { type ResponseOverrides, SoftwareAuthenticator } from '../support/software-authenticator.js';
import { TestServer } from '../support/test-server.js';

const MINUTE_MS = 60 * SECOND_MS;
const REJECTED = 'The passkey was not added. Try again.';

/** Responses that violate one rule of WebAuthn §7.1. */
const INVALID_RESPONSES: [rule: string, overrides: ResponseOverrides][] = [
  ['another origin', { origin: 'http://map.example.org' }],
  ['another RP ID', { rpId: 'map.example.org.evil.example' }],
  ['another challenge', { challenge: Buffer.from('a challenge of another service').toString('base64url') }],
  ['the type of a sign-in', { type: 'webauthn.get' }],
  ['no user verification', { isUserVerified: false }],
  ['no user presence', { isUserPresent: false }],
];

describe('The passkeys page', () => {
  let server: TestServer;
  let account: Account;
  let browser: BrowserClient;
  let device: SoftwareAuthenticator;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  beforeEach(async () => {
    account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
    device = new SoftwareAuthenticator(server.settings.BASE_URL);
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const list = (): Promise<Passkey[]> => server.get(PasskeysStore).list(account.id);
  const post = (credential: string, fields: Record<string, string> = {}, from = browser): Promise<PageResponse> =>
    from.post(PASSKEYS_PATH, { name: 'Phone', credential, ...fields });
  const expectRejected = async (response: Promise<PageResponse>): Promise<void> => {
    const { status, html } = await response;
    expect({ status, isRejected: html.includes(REJECTED) }).toEqual({ status: 422, isRejected: true });
    expect(await list()).toEqual([]);
  };
  const listEvents = async (): Promise<unknown[]> =>
    (await server.entityManager.find(AuditEvent, { where: { accountId: account.id }, order: { id: 'ASC' } }))
      .filter(({ type }) => type.startsWith('passkey.'))
      .map(({ type, detail }) => [type, detail]);
  const listMail = async (): Promise<unknown[]> =>
    (await readQueuedMail(server))
      .filter(({ email }) => email === account.email)
      .map(({ kind, text, link }) => [kind, /“(.*)”/.exec(text)?.[1], link]);

  it('requires a session, also for its forms', async () => {
    const stranger = new BrowserClient(server);
    expect((await stranger.get(PASSKEYS_PATH)).location).toBe('/sign-in?return_to=%2Faccount%2Fpasskeys');
    for (const path of [PASSKEYS_PATH, `${PASSKEYS_PATH}/remove`])
      expect((await stranger.post(path, { name: 'Phone' })).location).toMatch(/^\/sign-in/);
  });

  it('requests a discoverable credential with user verification, without attestation', async () => {
    expect(await requestCreationOptions(browser)).toMatchObject({
      rp: { id: 'map.example.org', name: 'Street art map' },
      user: { id: Buffer.from(account.id).toString('base64url'), name: account.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
  });

  it('adds and removes passkeys, records both, and tells the person by e-mail', async () => {
    await addPasskey(server, browser, '  Phone of Mila ');
    const other = await addPasskey(server, browser, 'Laptop');
    expect((await list()).map(({ name, transports }) => [name, transports])).toEqual([
      ['Phone of Mila', ['internal']],
      ['Laptop', ['internal']],
    ]);
    const { excludeCredentials } = await requestCreationOptions(browser);
    expect(excludeCredentials).toContainEqual({ id: other.credentialId, transports: ['internal'], type: 'public-key' });
    const [first] = await list();
    const removed = await browser.post(`${PASSKEYS_PATH}/remove`, { passkey: first!.id });
    expect((await browser.get(removed.location!)).html).toContain('The passkey was removed.');
    expect((await list()).map(({ name }) => name)).toEqual(['Laptop']);
    expect(await listEvents()).toEqual([
      ['passkey.added', 'Phone of Mila'],
      ['passkey.added', 'Laptop'],
      ['passkey.removed', 'Phone of Mila'],
    ]);
    const link = 'https://map.example.org/account/passkeys';
    expect(await listMail()).toEqual([
      ['passkeyAdded', 'Phone of Mila', link],
      ['passkeyAdded', 'Laptop', link],
      ['passkeyRemoved', 'Phone of Mila', link],
    ]);
  });

  it.each(INVALID_RESPONSES)('rejects a response with %s', async (_, overrides) => {
    await expectRejected(post(device.register(await requestCreationOptions(browser), overrides)));
    expect([await listEvents(), await listMail()]).toEqual([[], []]);
  });

  it.each(['{', 'null', '[]', '{}', '{"id":"AAAA","response":{}}', '{"id":"AAAA","response":{"clientDataJSON":"!"}}'])(
    'rejects malformed JSON: %s',
    async (credential) => {
      await requestCreationOptions(browser);
      await expectRejected(post(credential));
    },
  );

  it('ignores transports that are no list of known transports', async () => {
    const values: unknown[] = ['internal', { length: 3 }, [1, null, 'x'.repeat(5000), 'usb']];
    for (const transports of values) {
      const other = new SoftwareAuthenticator(server.settings.BASE_URL);
      const credential = other.register(await requestCreationOptions(browser), { transports });
      expect((await post(credential)).status).toBe(303);
    }
    expect((await list()).map(({ transports }) => transports)).toEqual([[], [], ['usb']]);
  });

  it('rejects a challenge after 5 minutes', async () => {
    const options = await requestCreationOptions(browser);
    advanceClock(5 * MINUTE_MS);
    await expectRejected(post(device.register(options)));
  });

  it('accepts one of several concurrent uses of a challenge', async () => {
    const options = await requestCreationOptions(browser);
    const devices = Array.from({ length: 6 }, () => new SoftwareAuthenticator(server.settings.BASE_URL));
    const responses = await Promise.all(devices.map((one) => post(one.register(options))));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(5).fill(422)]);
    expect(await list()).toHaveLength(1);
  });

  it('rejects a challenge of another account, of another session, and of a sign-in', async () => {
    const stranger = await openSignedInBrowser(server, await createAccount(server));
    const otherSession = await openSignedInBrowser(server, account);
    for (const other of [stranger, otherSession])
      await expectRejected(post(device.register(await requestCreationOptions(other))));
    const { challenge } = await requestSignInOptions(browser);
    await expectRejected(post(device.register(await requestCreationOptions(browser), { challenge })));
  });

  it('rejects a credential that another account has, and keeps it with that account', async () => {
    const victim = await createAccount(server);
    const taken = await addPasskey(server, await openSignedInBrowser(server, victim));
    const { credentialId } = taken;
    await expectRejected(post(device.register(await requestCreationOptions(browser), { credentialId })));
    expect((await signInWithPasskey(new BrowserClient(server), taken)).status).toBe(303);
  });

  it.each(['', '   ', '\u200b', 'x'.repeat(101), 'a\nb', 'a\u202eb'])('rejects the name %j', async (name) => {
    const options = await requestCreationOptions(browser);
    for (const credential of ['', device.register(options)]) {
      const { status, html } = await post(credential, { name });
      expect(status).toBe(422);
      expect(html).toContain('Enter a name of 1 to 100 visible characters.');
      expect(html).not.toContain('challenge');
    }
    expect(await list()).toEqual([]);
  });

  it('accepts at most 20 passkeys, also from concurrent requests', async () => {
    const options = await Promise.all([requestCreationOptions(browser), requestCreationOptions(browser)]);
    const rows = Array.from({ length: 19 }, (_, index) => buildRow(account.id, `Key ${index}`));
    await server.get(TransactionService).run((tx) => tx.insert(Passkey, rows));
    const devices = options.map((one) => new SoftwareAuthenticator(server.settings.BASE_URL).register(one));
    const responses = await Promise.all(devices.map((credential) => post(credential)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 422]);
    expect(await list()).toHaveLength(20);
    const page = await browser.post(PASSKEYS_PATH, { name: 'One more' });
    expect(page.html).toContain('You have 20 passkeys, which is the maximum.');
    expect(page.html).not.toContain('challenge');
  });

  it('asks for the password 10 minutes after the sign-in, for options, responses and removals', async () => {
    await addPasskey(server, browser);
    const [passkey] = await list();
    expect((await browser.get(PASSKEYS_PATH)).html).not.toContain('name="password"');
    advanceClock(6 * MINUTE_MS);
    const options = await requestCreationOptions(browser);
    advanceClock(4 * MINUTE_MS);
    expect((await browser.get(PASSKEYS_PATH)).html).toContain('name="password"');
    const credential = device.register(options);
    for (const password of ['', 'wrong horse']) {
      for (const [path, fields] of [
        [PASSKEYS_PATH, { name: 'Laptop' }],
        [PASSKEYS_PATH, { name: 'Laptop', credential }],
        [`${PASSKEYS_PATH}/remove`, { passkey: passkey!.id }],
      ] as [string, Record<string, string>][]) {
        const { status, html } = await browser.post(path, { ...fields, password });
        expect({ path, status, challenge: html.includes('challenge') }).toEqual({
          path,
          status: 422,
          challenge: false,
        });
        expect(html).toContain(password === '' ? 'Enter a password.' : 'The password is wrong. Try again.');
        if (password !== '') advanceClock(SECOND_MS);
      }
    }
    expect(await list()).toHaveLength(1);
    const next = await requestCreationOptions(browser, { password: TEST_PASSWORD });
    expect((await post(device.register(next))).status).toBe(303);
  });

  it('rejects a new passkey of a blocked account', async () => {
    const options = await requestCreationOptions(browser);
    await server.get(AccountsService).block(account.username, 'Advertising');
    for (const credential of ['', device.register(options)]) expect((await post(credential)).status).toBe(403);
    expect(await list()).toEqual([]);
  });

  it('removes no passkey of another account', async () => {
    await addPasskey(server, browser);
    const [passkey] = await list();
    const stranger = await openSignedInBrowser(server, await createAccount(server));
    for (const id of [passkey!.id, 'pky_unknown', '', '\0'])
      expect((await stranger.post(`${PASSKEYS_PATH}/remove`, { passkey: id })).status).toBe(303);
    expect(await list()).toHaveLength(1);
  });

  it('deletes all passkeys of an account, and none of others', async () => {
    await addPasskey(server, browser);
    const other = await createAccount(server);
    const kept = await addPasskey(server, await openSignedInBrowser(server, other));
    await server.get(TransactionService).run((tx) => server.get(PasskeysStore).deleteAll(tx, account.id));
    expect(await list()).toEqual([]);
    expect((await signInWithPasskey(new BrowserClient(server), kept)).status).toBe(303);
  });
});

function buildRow(accountId: string, name: string): Omit<Passkey, 'account'> {
  const id = generateId('pky');
  const times = { createdAt: new Date(), lastUsedAt: null };
  return {
    id,
    credentialId: id,
    accountId,
    name,
    publicKey: '',
    counter: 0,
    transports: [],
    backedUp: false,
    ...times,
  };
}
