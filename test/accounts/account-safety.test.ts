import { describe, expect, it } from '@jest/globals';
import { PasswordResetService } from '../../src/identity/accounts/password/password-reset.service.js';
import { BrowserClient } from '../support/browser-client.js';
import { createPasskey } from '../support/passkey-fixture.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const SAFETY_PATH = '/account/safety';
const NEW_PASSWORD = 'harbor lantern eleven';

describe('The page "Make your account safe"', () => {
  const fixture = OAuthFixture.use();

  it('requires a session', async () => {
    const { status, location } = await new BrowserClient(fixture.server).get(SAFETY_PATH);
    expect({ status, location }).toEqual({ status: 303, location: '/sign-in?return_to=%2Faccount%2Fsafety' });
  });

  it('follows the sign-in after a password reset, and lists apps, passkeys and browsers', async () => {
    const { server, account, app } = fixture;
    await fixture.authorizeApp();
    await createPasskey(server, account);
    const { url } = await server.get(PasswordResetService).createLinkForOperator(account.username);
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const browser = new BrowserClient(server, headers);
    const token = new URL(url).searchParams.get('token')!;
    const { html } = await browser.post('/reset-password', { token, password: NEW_PASSWORD });
    const signIn = /href="(\/sign-in\?[^"]*)"/.exec(html)![1]!;
    const { location } = await browser.signIn(account, NEW_PASSWORD, signIn);
    expect(location).toBe(SAFETY_PATH);
    const page = await browser.get(SAFETY_PATH);
    expect(page.html).toContain('<h1>Make your account safe</h1>');
    for (const name of [app.app.name, 'Firefox (Linux)']) expect(page.html).toContain(`<li>${name}</li>`);
    expect(page.html.match(/<li>/g)).toHaveLength(3);
    for (const path of ['apps', 'passkeys', 'sessions']) expect(page.html).toContain(`href="/account/${path}"`);
  });

  it('shows nothing of another account', async () => {
    await fixture.authorizeApp();
    const { html } = await (await fixture.openOtherBrowser()).get(SAFETY_PATH);
    expect(html).not.toContain(fixture.app.app.name);
  });
});
