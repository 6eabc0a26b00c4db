import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { Passkey, UsedPasskeyChallenge } from '../../src/identity/accounts/passkeys/passkey.entity.js';
import { Session } from '../../src/identity/accounts/sessions/session.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import {
  addPasskey,
  createPasskey,
  requestSignInOptions,
  sendCredential,
  signInWithPasskey,
} from '../support/passkey-fixture.js';
import { type ResponseOverrides, SoftwareAuthenticator } from '../support/software-authenticator.js';
import { TestServer } from '../support/test-server.js';

const MINUTE_MS = 60 * SECOND_MS;
const REJECTED = 'This passkey was not accepted. Try again, or sign in with your password.';

/** Responses that violate one rule of WebAuthn §7.2. */
const INVALID_RESPONSES: [rule: string, overrides: ResponseOverrides][] = [
  ['another origin', { origin: 'https://map.example.org.evil.example' }],
  ['a subdomain as its origin', { origin: 'https://app.map.example.org' }],
  ['another RP ID', { rpId: 'example.org' }],
  ['another challenge', { challenge: Buffer.from('a challenge of another service').toString('base64url') }],
  ['the type of a registration', { type: 'webauthn.create' }],
  ['no user verification', { isUserVerified: false }],
  ['no user presence', { isUserPresent: false, isUserVerified: false }],
  ['the user handle of another account', { userHandle: Buffer.from('usr_other').toString('base64url') }],
  ['no user handle', { userHandle: '' }],
  ['the signature of another key', { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ['an unknown credential', { credentialId: 'A'.repeat(43) }],
];

describe('Sign-in with a passkey', () => {
  let server: TestServer;
  let account: Account;
  let device: SoftwareAuthenticator;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  beforeEach(async () => {
    account = await createAccount(server);
    device = await createPasskey(server, account);
    browser = new BrowserClient(server);
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const findPasskey = (): Promise<Passkey> => server.entityManager.findOneByOrFail(Passkey, { accountId: account.id });
  const listEvents = async (type: AuditEvent['type']): Promise<(string | null)[]> =>
    (await server.entityManager.findBy(AuditEvent, { accountId: account.id, type })).map(({ detail }) => detail);
  const expectRejected = async (response: ReturnType<typeof sendCredential>): Promise<void> => {
    const { status, html } = await response;
    expect({ status, isRejected: html.includes(REJECTED) }).toEqual({ status: 422, isRejected: true });
    expect((await browser.get('/account/activity')).location).toMatch(/^\/sign-in/);
  };

  it('creates a session with the methods of the passkey, and continues to the page to return to', async () => {
    const query = `?${new URLSearchParams({ return_to: '/account/passkeys' })}`;
    const options = await requestSignInOptions(browser, `/sign-in${query}`);
    expect(options).toMatchObject({ rpId: 'map.example.org', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const { status, location } = await sendCredential(browser, device.authenticate(options), query);
    expect({ status, location }).toEqual({ status: 303, location: '/account/passkeys' });
    expect((await browser.get('/account/passkeys')).status).toBe(200);
    const sessions = await server.entityManager.findBy(Session, { accountId: account.id });
    expect(sessions.map(({ amr }) => amr.join()).sort()).toEqual(['hwk,user', 'pwd']);
    expect((await findPasskey()).lastUsedAt).toBeInstanceOf(Date);
    expect(await listEvents('session.created')).toHaveLength(2);
  });

  it('never redirects to another site', async () => {
    const query = `?${new URLSearchParams({ return_to: 'https://evil.example/' })}`;
    const options = await requestSignInOptions(browser, `/sign-in${query}`);
    const { location } = await sendCredential(browser, device.authenticate(options), query);
    expect(location).toBe('/account/apps');
  });

  it.each(INVALID_RESPONSES)('rejects a response with %s, and keeps the passkey usable', async (_, overrides) => {
    await expectRejected(signInWithPasskey(browser, device, overrides));
    expect(await listEvents('passkey.rejected')).toEqual([]);
    expect((await signInWithPasskey(browser, device)).status).toBe(303);
  });

  it.each([
    ['', '{', 'null', '[]', '"text"', '{}', '{"id":1}', '{"id":"AAAA"}', '{"id":"AAAA","response":{}}'],
    ['{"id":"AAAA","response":null}', '{"id":"../x","response":{}}', `{"id":"${'A'.repeat(1365)}","response":{}}`],
  ])('rejects malformed JSON: %s …', async (...credentials) => {
    for (const credential of credentials) await expectRejected(sendCredential(browser, credential));
  });

  it('rejects a response without one of its members', async () => {
    for (const member of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) {
      const credential = JSON.parse(device.authenticate(await requestSignInOptions(browser)));
      for (const value of [undefined, null, 5, {}, 'AAAA', '!']) {
        credential.response[member] = value;
        await expectRejected(sendCredential(browser, JSON.stringify(credential)));
      }
    }
  });

  it('rejects a challenge that was already used', async () => {
    const options = await requestSignInOptions(browser);
    expect((await sendCredential(browser, device.authenticate(options))).status).toBe(303);
    expect((await sendCredential(browser, device.authenticate(options))).status).toBe(422);
  });

  it('accepts one of several concurrent uses of a challenge', async () => {
    const options = await requestSignInOptions(browser);
    const credentials = Array.from({ length: 8 }, () => device.authenticate(options));
    const responses = await Promise.all(credentials.map((credential) => sendCredential(browser, credential)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(422)]);
  });

  it('rejects a challenge of another browser', async () => {
    const options = await requestSignInOptions(new BrowserClient(server));
    await requestSignInOptions(browser);
    await expectRejected(sendCredential(browser, device.authenticate(options)));
    await expectRejected(sendCredential(new BrowserClient(server), device.authenticate(options)));
  });

  it('rejects a challenge for a registration', async () => {
    const owner = await openSignedInBrowser(server, account);
    const page = await owner.post('/account/passkeys', { name: 'Laptop' });
    const [, challenge] = /&quot;challenge&quot;:&quot;([\w-]+)/.exec(page.html)!;
    await expectRejected(signInWithPasskey(browser, device, { challenge: challenge! }));
  });

  it('rejects a challenge after 5 minutes', async () => {
    const options = await requestSignInOptions(browser);
    advanceClock(5 * MINUTE_MS);
    await expectRejected(sendCredential(browser, device.authenticate(options)));
    const next = await requestSignInOptions(browser);
    advanceClock(5 * MINUTE_MS - SECOND_MS);
    expect((await sendCredential(browser, device.authenticate(next))).status).toBe(303);
  });

  it('rejects a counter that did not increase, and records it', async () => {
    expect((await signInWithPasskey(browser, device, { counter: 7 })).status).toBe(303);
    browser.clearCookies();
    for (const counter of [7, 6, 0]) await expectRejected(signInWithPasskey(browser, device, { counter }));
    expect(await listEvents('passkey.rejected')).toEqual(['Phone', 'Phone', 'Phone']);
    expect((await findPasskey()).counter).toBe(7);
    expect((await signInWithPasskey(browser, device, { counter: 8 })).status).toBe(303);
    expect((await browser.get('/account/activity')).html).toContain('another device may have a copy of it');
  });

  it('accepts a device without a counter', async () => {
    const plain = new SoftwareAuthenticator(server.settings.BASE_URL);
    const owner = await openSignedInBrowser(server, account);
    const page = await owner.post('/account/passkeys', { name: 'Plain' });
    const json = /data-passkey-options="([^"]*)"/.exec(page.html)![1]!.replaceAll('&quot;', '"');
    const credential = plain.register(JSON.parse(json), { counter: 0 });
    expect((await owner.post('/account/passkeys', { name: 'Plain', credential })).status).toBe(303);
    for (let count = 0; count < 2; count++)
      expect((await signInWithPasskey(browser, plain, { counter: 0 })).status).toBe(303);
  });

  it('rejects a removed passkey, and accepts the other one of the account', async () => {
    const owner = await openSignedInBrowser(server, account);
    const other = await addPasskey(server, owner, 'Laptop');
    await owner.post('/account/passkeys/remove', { passkey: (await findByName('Phone')).id });
    await expectRejected(signInWithPasskey(browser, device));
    expect((await signInWithPasskey(browser, other)).status).toBe(303);
  });
  const findByName = (name: string): Promise<Passkey> =>
    server.entityManager.findOneByOrFail(Passkey, { accountId: account.id, name });

  it('signs in a blocked person, who sees the reason', async () => {
    await server.get(AccountsService).block(account.username, 'Advertising');
    expect((await signInWithPasskey(browser, device)).status).toBe(303);
    expect((await browser.get('/account')).html).toContain('Reason: Advertising');
    expect((await browser.get('/account/activity')).status).toBe(403);
  });

  it('writes nothing until a response is valid, and deletes used challenges after they expire', async () => {
    const count = (): Promise<number> => server.entityManager.count(UsedPasskeyChallenge);
    const before = await count();
    await signInWithPasskey(browser, device, { isUserVerified: false });
    expect(await count()).toBe(before);
    await signInWithPasskey(browser, device);
    expect(await count()).toBe(before + 1);
    advanceClock(30 * MINUTE_MS);
    await server.get(RetentionService).deleteExpired(Date.now());
    expect(await count()).toBe(0);
  });
});

describe('Sign-in with a passkey under rate limits', () => {
  let server: TestServer;
  let account: Account;
  let device: SoftwareAuthenticator;
  let browser: BrowserClient;

  beforeEach(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on' });
    account = await createAccount(server);
    device = await createPasskey(server, account);
    browser = new BrowserClient(server);
  });
  afterEach(() => server.stop());

  it('works while guesses of the password must wait', async () => {
    const guesses = { username: account.username, password: 'wrong horse' };
    for (let count = 0; count < 6; count++) await new BrowserClient(server).post('/sign-in', guesses);
    expect((await browser.post('/sign-in', guesses)).status).toBe(429);
    expect((await signInWithPasskey(browser, device)).status).toBe(303);
  });

  it('rejects 60 invalid responses from a network, then asks to wait, and counts no valid one', async () => {
    for (let count = 0; count < 5; count++) expect((await signInWithPasskey(browser, device)).status).toBe(303);
    for (let count = 0; count < 60; count++) expect((await sendCredential(browser, '{}')).status).toBe(422);
    const { status, headers } = await signInWithPasskey(browser, device);
    expect({ status, wait: Number(headers.get('retry-after')) > 0 }).toEqual({ status: 429, wait: true });
  });
});
