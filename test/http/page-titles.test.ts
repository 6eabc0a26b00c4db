import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

describe('Document title', () => {
  let server: TestServer;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start();
    browser = new BrowserClient(server);
  });
  afterAll(() => server.stop());

  it('is the heading and the name of the site', async () => {
    expect((await browser.get('/sign-up')).html).toContain('<title>Create an account · Street art map</title>');
  });

  it('of an error page starts with the word for an error, and the heading does not', async () => {
    const { html } = await browser.get('/nothing/here');
    expect(html).toContain('<title>Error: Page not found · Street art map</title>');
    expect(html).toContain('<h1>Page not found</h1>');
    expect((await browser.get('/nothing/here?ui_locales=de')).html).toContain('<title>Fehler: ');
  });

  it.each([
    ['/account', 'Your account'],
    ['/account/profile', 'Profile'],
    ['/account/sessions', 'Sessions'],
    ['/account/role', 'What you may do'],
    ['/account/apps', 'Connected apps'],
    ['/account/safety', 'Make your account safe'],
    ['/account/activity', 'Account activity'],
  ])('of %s names the page', async (path, title) => {
    const member = await openSignedInBrowser(server, await createAccount(server));
    expect((await member.get(path)).html).toContain(`<title>${title} · Street art map</title>`);
  });

  it.each([
    ['/sign-up', { username: 'mila vos' }, 'Create an account'],
    ['/sign-in', { username: 'mila', password: 'wrong horse' }, 'Sign in'],
  ])('of the rejected form %s starts with the word for an error', async (path, form, title) => {
    const { html } = await browser.post(path, form);
    expect(html).toContain(`<title>Error: ${title} · Street art map</title>`);
  });
});
