import { describe, expect, it } from '@jest/globals';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, issueTokens } from '../support/factories.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import { createPasskey } from '../support/passkey-fixture.js';
import { findQueuedLink } from '../support/queued-mail.js';

/** The pages of the account, as the overview links them. */
const ACCOUNT_PAGES = [
  'profile',
  'email',
  'role',
  'password',
  'passkeys',
  'sessions',
  'apps',
  'activity',
  'export',
  'delete',
];

describe('Account overview', () => {
  const fixture = OAuthFixture.use();

  it('requires a session, and returns after the sign-in', async () => {
    const stranger = new BrowserClient(fixture.server);
    const redirect = await stranger.get('/account');
    expect(redirect).toMatchObject({ status: 303, location: '/sign-in?return_to=%2Faccount' });
    expect((await stranger.signIn(fixture.account, undefined, redirect.location!)).location).toBe('/account');
  });

  it('shows the own account only, and says that the e-mail address is not confirmed', async () => {
    const other = await createAccount(fixture.server);
    const { html } = await fixture.browser.get('/account');
    expect(html).toContain('<h1>Your account</h1>');
    for (const text of [fixture.account.name, fixture.account.username, fixture.account.email, 'Not confirmed'])
      expect(html).toContain(text);
    expect(html).not.toContain(other.email);
  });

  it('says that the e-mail address is confirmed', async () => {
    const account = await createAccount(fixture.server, { emailVerified: true });
    const { html } = await (await openSignedInBrowser(fixture.server, account)).get('/account');
    expect(html).toContain('>Confirmed<');
    expect(html).not.toContain('Not confirmed');
    expect(html).not.toContain('Send again');
  });

  it('sends the link of the confirmation again', async () => {
    const account = await createAccount(fixture.server);
    const browser = await openSignedInBrowser(fixture.server, account);
    const { status } = await browser.submitForm(await browser.get('/account'), '/account/email/send-again');
    expect(status).toBe(303);
    expect(await findQueuedLink(fixture.server, 'confirmEmail', account.email)).toMatch(/^\/verify-email\?token=/);
  });

  it('links every page of the account, each with one line about it', async () => {
    const { html } = await fixture.browser.get('/account');
    const links = [...html.matchAll(/<li><a href="\/account\/(\w+)">[^<]+<\/a><p class="secondary">.+?<\/p><\/li>/g)];
    expect(links.map(([, page]) => page)).toEqual(ACCOUNT_PAGES);
  });

  it('shows how many passkeys, browsers and apps the account has, and when the password changed', async () => {
    const account = await createAccount(fixture.server);
    await createPasskey(fixture.server, account);
    await openSignedInBrowser(fixture.server, account);
    await issueTokens(fixture.server, { app: fixture.app.app, account });
    const { html } = await (await openSignedInBrowser(fixture.server, account)).get('/account');
    for (const value of ['>1 passkey<', ' browsers<', '>1 app<']) expect(html).toContain(value);
    expect(html).toMatch(/Changed: <time[^>]*>today<\/time>/);
  });

  it('is one click away on every page of the account, which marks itself', async () => {
    for (const page of ['profile', 'email', 'role', 'password', 'passkeys', 'sessions', 'export', 'delete']) {
      const { html } = await fixture.browser.get(`/account/${page}`);
      const [navigation] = /<nav class="account-nav".*?<\/nav>/s.exec(html)!;
      expect(navigation).toContain('<a href="/account">Your account</a>');
      expect(navigation.match(/<a href="([^"]*)" aria-current="page">/)![1]).toBe(`/account/${page}`);
    }
    expect((await fixture.browser.get('/account')).html).not.toContain('account-nav');
  });

  it('is linked from the navigation of people who are signed in', async () => {
    expect((await fixture.browser.get('/')).html).toContain('<a href="/account">Your account</a>');
    expect((await new BrowserClient(fixture.server).get('/')).html).not.toContain('href="/account"');
  });

  it('shows the address of a picture of another site as a link on the profile page', async () => {
    const account = await createAccount(fixture.server, { picture: 'https://pictures.example.org/mila.jpg' });
    const browser = await openSignedInBrowser(fixture.server, account);
    expect((await browser.get('/account')).html).not.toContain('mila.jpg');
    const { html } = await browser.get('/account/profile');
    expect(html).toContain('<a href="https://pictures.example.org/mila.jpg" rel="noreferrer">');
  });
});

describe('The sign-in page', () => {
  const fixture = OAuthFixture.use();

  it.each(['', ...ACCOUNT_PAGES.map((page) => `/${page}`)])('returns to /account%s after the sign-in', async (page) => {
    const path = `/sign-in?${new URLSearchParams({ return_to: `/account${page}` })}`;
    const { location } = await new BrowserClient(fixture.server).signIn(fixture.account, undefined, path);
    expect(location).toBe(`/account${page}`);
  });

  it.each(['/apps/app_01ARZ3NDEKTSV4RRFFQ69G5FAV', '/edits/edt_1', '/safety'])(
    'returns to /account%s, to which messages and records link',
    async (page) => {
      const path = `/sign-in?${new URLSearchParams({ return_to: `/account${page}` })}`;
      const { location } = await new BrowserClient(fixture.server).signIn(fixture.account, undefined, path);
      expect(location).toBe(`/account${page}`);
    },
  );

  it.each([
    '/accounts',
    '/account/edits/',
    '/account/apps/../../docs',
    '/account/',
    '/account/nothing',
    '/account/sessions/end-others',
    '/account/../docs',
    '//account',
  ])('does not return to %s', async (returnTo) => {
    const path = `/sign-in?${new URLSearchParams({ return_to: returnTo })}`;
    const { location } = await new BrowserClient(fixture.server).signIn(fixture.account, undefined, path);
    expect(location).toBe('/account/apps');
  });

  it('returns to the page of a form that was sent after the session expired', async () => {
    const stranger = new BrowserClient(fixture.server);
    const cases = {
      '/account/apps': '?return_to=%2Faccount%2Fapps',
      '/account/profile?done=saved': '?return_to=%2Faccount%2Fprofile',
      '/account/sessions/end-others': '?return_to=%2Faccount%2Fsessions',
      '/developer/apps': '?',
    };
    for (const [path, query] of Object.entries(cases)) {
      expect({ path, location: (await stranger.post(path, {})).location }).toEqual({
        path,
        location: `/sign-in${query}`,
      });
    }
  });
});
