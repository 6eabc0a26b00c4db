import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserScenario } from '../support/browser-scenario.js';
import { findQueuedLink, readQueuedMail } from '../support/queued-mail.js';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.js';

const MEMBER = { username: 'wanda', name: 'Wanda Velt', email: 'wanda@example.org' };
const FIRST_PASSWORD = 'lantern harbor eleven';
const SECOND_PASSWORD = 'seven quiet canals';

/** The folder of the screenshots of the steps. Without it, the test takes none. */
const SCREENSHOT_FOLDER = process.env['WALK_SCREENSHOTS'];

describe('A member', () => {
  const scenario = BrowserScenario.use();

  const takeScreenshot = async (name: string): Promise<void> => {
    if (!SCREENSHOT_FOLDER) return;
    await scenario.browser.page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`), fullPage: true });
  };
  const text = (): Promise<string> => scenario.browser.text();

  it('signs up, recovers the account, controls it, and deletes it', async () => {
    const { browser, environment, app } = scenario;
    const { server } = environment;
    await addVirtualAuthenticator(browser);

    await browser.goto('/sign-up');
    await browser.fillFields({
      Username: MEMBER.username,
      Name: MEMBER.name,
      'E-mail': MEMBER.email,
      Password: FIRST_PASSWORD,
    });
    await browser.clickButton('Create account');
    await browser.goto('/account');
    expect(await browser.heading()).toBe('Your account');
    expect(await text()).toContain('Not confirmed');
    await takeScreenshot('account');

    await browser.goto(await findQueuedLink(server, 'confirmEmail', MEMBER.email));
    await takeScreenshot('confirm');
    await browser.clickButton('Confirm');
    await browser.goto('/account');
    expect(await text()).not.toContain('Not confirmed');

    await browser.clickLink('Passkeys');
    await browser.fillFields({ Name: 'Laptop' });
    await browser.clickButton('Add a passkey');
    expect(await text()).toContain('The passkey was added.');
    await takeScreenshot('passkeys');

    const laptop = await environment.openPage({}, [app]);
    await laptop.goto('/sign-in');
    await laptop.signIn(MEMBER, FIRST_PASSWORD);
    expect((await readQueuedMail(server)).map(({ kind }) => kind)).toContain('newSignIn');

    await browser.goto('/sign-out');
    await browser.clickButton('Sign out');
    await laptop.goto('/sign-in');
    await laptop.clickLink('Forgot your password?');
    await browser.goto('/forgot-password');
    await browser.fillFields({ 'Username or e-mail': MEMBER.email });
    await browser.clickButton('Send a link');
    await takeScreenshot('link-sent');
    const resetLink = await findQueuedLink(server, 'resetPassword', MEMBER.email);
    await browser.goto(resetLink);
    await browser.fillFields({ 'New password': SECOND_PASSWORD });
    await browser.checkbox('Also remove all passkeys').uncheck();
    await takeScreenshot('reset');
    await browser.clickButton('Set password');
    await laptop.goto('/account');
    expect(laptop.path).toBe('/sign-in');
    await browser.goto(resetLink);
    expect(await text()).toContain('already used');
    await takeScreenshot('link-ended');

    await browser.goto('/account/sessions');
    await browser.clickButton('Sign in with a passkey');
    expect(browser.path).toBe('/account/sessions');
    await laptop.signIn(MEMBER, SECOND_PASSWORD);
    await browser.page.reload();
    await takeScreenshot('sessions');
    await browser.clickButton('Sign out everywhere else');
    await laptop.goto('/account');
    expect(laptop.path).toBe('/sign-in');

    await browser.goto(app.startAuthorization({ scope: 'openid profile markers:read' }));
    await browser.clickButton('Allow');
    const refreshToken = (await app.exchangeCode()).body.refresh_token as string;
    await browser.goto('/account/apps');
    await browser.clickButton('Remove access');
    expect((await app.refreshTokens(refreshToken)).status).toBe(400);

    await browser.goto('/account/activity');
    await takeScreenshot('activity');
    for (const sentence of ['Your password was reset.', 'You added the passkey “Laptop”.'])
      expect(await text()).toContain(sentence);

    await browser.goto('/account/export');
    await takeScreenshot('export');
    const [download] = await Promise.all([browser.page.waitForEvent('download'), browser.button('Download').click()]);
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
      account: { username: MEMBER.username },
      passkeys: [{ name: 'Laptop' }],
    });

    await browser.goto('/account/delete');
    await browser.fillFields({ Password: SECOND_PASSWORD });
    await takeScreenshot('delete');
    await browser.clickButton('Delete account');
    await takeScreenshot('deleted');
    await laptop.goto('/sign-in');
    await laptop.signIn(MEMBER, SECOND_PASSWORD);
    expect(laptop.path).toBe('/sign-in');
    expect((await readQueuedMail(server)).map(({ kind }) => kind)).toEqual(['accountDeleted']);
  });
});
