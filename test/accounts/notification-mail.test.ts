import { describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { InvalidFieldsError } from '../../src/platform/i18n/invalid-fields-error.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, registerApp } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { findQueuedMail, type QueuedMail, readQueuedMail } from '../support/queued-mail.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('An e-mail about a new sign-in', () => {
  const fixture = OAuthFixture.use();
  const readMail = async (email: string): Promise<QueuedMail[]> =>
    (await readQueuedMail(fixture.server)).filter((mail) => mail.email === email);

  it('is not sent at the first sign-in of an account, nor for the same browser again', async () => {
    const account = await createAccount(fixture.server);
    const browser = new BrowserClient(fixture.server);
    for (let count = 0; count < 2; count++) await browser.signIn(account);
    expect(await readMail(account.email)).toEqual([]);
  });

  it('is not sent for a wrong password in another browser', async () => {
    const account = await createAccount(fixture.server);
    await new BrowserClient(fixture.server).signIn(account);
    const other = new BrowserClient(fixture.server);
    await other.post('/sign-in', { username: account.username, password: 'wrong horse' });
    expect(await readMail(account.email)).toEqual([]);
  });

  it('names the browser, the network and the page of sessions, in the language of the browser', async () => {
    const account = await createAccount(fixture.server);
    await new BrowserClient(fixture.server).signIn(account);
    await new BrowserClient(fixture.server, { 'User-Agent': FIREFOX, 'Accept-Language': 'de' }).signIn(account);
    const [mail, ...others] = await readMail(account.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'newSignIn', language: 'de', link: 'https://map.example.org/account/sessions' });
    expect(mail!.text).toContain('Firefox (Linux)');
    expect(mail!.text).toContain('127.0.0.1');
  });
});

describe('An e-mail about a block', () => {
  const fixture = OAuthFixture.use();
  const readMail = async (): Promise<QueuedMail[]> =>
    (await readQueuedMail(fixture.server)).filter(({ email }) => email === fixture.account.email);

  it('names the reason, the end and what still works, and leads to the account', async () => {
    const accounts = fixture.server.get(AccountsService);
    await accounts.block(fixture.account.username, 'Advertising', new Date('2100-01-31T08:00:00Z'));
    const [mail, ...others] = await readMail();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'accountBlocked', link: 'https://map.example.org/account' });
    for (const text of ['Reason: Advertising', 'January 31, 2100', 'download your data', 'delete your account'])
      expect(mail!.text).toContain(text);
  });

  it('names no end without one, and is not sent when the block ends', async () => {
    const accounts = fixture.server.get(AccountsService);
    await accounts.block(fixture.account.username, 'Advertising');
    await accounts.unblock(fixture.account.username);
    const mails = await readMail();
    expect(mails.map(({ kind }) => kind)).toEqual(['accountBlocked']);
    expect(mails[0]!.text).not.toContain('The block ends');
  });

  it('is not sent for a block that is rejected', async () => {
    const accounts = fixture.server.get(AccountsService);
    for (const [reason, until] of [
      ['', undefined],
      ['Advertising', new Date(0)],
    ] as const)
      await expect(accounts.block(fixture.account.username, reason, until)).rejects.toThrow(/^--(reason|until) must/);
    expect(await readMail()).toEqual([]);
  });
});

describe('An e-mail about an app', () => {
  const fixture = OAuthFixture.use();
  const readKinds = async (email: string): Promise<string[]> =>
    (await readQueuedMail(fixture.server)).filter((mail) => mail.email === email).map(({ kind }) => kind);

  it('is sent when the app is connected, not when it asks again or the person denies', async () => {
    const { email } = fixture.account;
    const page = await fixture.authorize();
    await fixture.browser.submitForm(page, '/consent', { decision: 'deny' });
    expect(await readKinds(email)).toEqual([]);
    for (let count = 0; count < 2; count++) await fixture.authorizeApp({ prompt: 'consent' });
    expect(await readKinds(email)).toEqual(['appConnected']);
  });

  it('lists what the person allowed, in their language, with browser, network and time', async () => {
    const { server, account, app } = fixture;
    await server.get(TransactionService).run((tx) => tx.update(Account, { id: account.id }, { language: 'de' }));
    const page = await fixture.authorize({ scope: 'openid profile edits:write' });
    await fixture.browser.submitForm(page, '/consent', { decision: 'allow', scope: ['profile'] });
    const { text, link } = await findQueuedMail(server, 'appConnected', account.email);
    expect(link).toBe(`https://map.example.org/account/apps/${app.app.id}`);
    expect(text).toContain(app.app.name);
    const { meanings } = MESSAGES_BY_LANGUAGE.de.scopes;
    expect(text).toContain(`- ${app.app.name} erfährt, wer du bist\n- ${meanings.profile}\n`);
    expect(text).not.toContain(meanings['edits:write']);
    expect(text).toMatch(/Browser: .+\. IP-Adresse: .+\. Zeit: .+2026/);
  });

  it('tells the owner that the client secret was replaced, also by the operator', async () => {
    const owner = await createAccount(fixture.server);
    const { app } = await registerApp(fixture.server, { ownerId: owner.id });
    const { app: unowned } = await registerApp(fixture.server);
    for (const actorId of [owner.id, null]) await fixture.server.get(AppsService).rotateSecret(app.id, { actorId });
    await fixture.server.get(AppsService).rotateSecret(unowned.id);
    expect(await readKinds(owner.email)).toEqual(['secretReplaced', 'secretReplaced']);
    const [mail] = (await readQueuedMail(fixture.server)).filter(({ email }) => email === owner.email);
    expect(mail!.text).toContain(app.name);
    expect(mail!.text).not.toContain('sam_secret_');
  });

  it('lists the old and the new redirect URIs for the owner, also after a change by the operator', async () => {
    const { server } = fixture;
    const owner = await createAccount(server);
    await server.get(TransactionService).run((tx) => tx.update(Account, { id: owner.id }, { language: 'es' }));
    const { app } = await registerApp(server, { ownerId: owner.id, redirectUris: ['https://old.example/a'] });
    const apps = server.get(AppsService);
    const rejected = { ...app, redirectUris: ['https://new.example/b', 'nonsense'] };
    await expect(apps.updateSettings(app.id, rejected, owner.id)).rejects.toThrow(InvalidFieldsError);
    expect(await readKinds(owner.email)).toEqual([]);
    const redirectUris = ['https://new.example/b', 'http://127.0.0.1/c'];
    await apps.updateSettings(app.id, { ...app, redirectUris }, owner.id);
    const mail = await findQueuedMail(server, 'redirectUrisChanged', owner.email);
    expect(mail).toMatchObject({ language: 'es', link: `https://map.example.org/developer/apps/${app.id}` });
    for (const text of [
      app.name,
      'Antes:\n- https://old.example/a\n\nAhora:\n- https://new.example/b\n- http://127.0.0.1/c\n',
      'Si no has sido tú',
    ])
      expect(mail.text).toContain(text);
    await apps.updateSettings(app.id, { ...app, redirectUris: ['https://old.example/a'] });
    expect(await readKinds(owner.email)).toEqual(['redirectUrisChanged', 'redirectUrisChanged']);
  });

  it('is not sent if the redirect URIs stay the same, nor for an app without an owner', async () => {
    const { server } = fixture;
    const owner = await createAccount(server);
    const redirectUris = ['https://a.example/', 'https://b.example/'];
    const { app } = await registerApp(server, { ownerId: owner.id, redirectUris });
    const { app: unowned } = await registerApp(server, { redirectUris });
    const apps = server.get(AppsService);
    await apps.updateSettings(app.id, { ...app, description: 'Other', redirectUris: redirectUris.toReversed() });
    await apps.updateSettings(unowned.id, { ...unowned, redirectUris: ['https://c.example/'] });
    expect(await readKinds(owner.email)).toEqual([]);
    const sent = (await readQueuedMail(server)).filter(({ text }) => text.includes(unowned.name));
    expect(sent).toEqual([]);
  });
});
