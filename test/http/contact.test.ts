import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { createAuthorizationRequest } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, registerApp, TEST_PASSWORD } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const CONTACT = 'mailto:team@map.example.org';
const LINK = `<a href="${CONTACT}">team@map.example.org</a>`;

describe('CONTACT', () => {
  let server: TestServer;
  let browser: BrowserClient;

  beforeAll(async () => {
    server = await TestServer.start({ CONTACT });
    browser = new BrowserClient(server);
  });
  afterAll(() => server.stop());

  const readMain = (html: string): string => /<main.*<\/main>/s.exec(html)![0];
  const readFooter = (html: string): string | undefined => /<footer>.*<\/footer>/s.exec(html)?.[0];

  it.each(['/', '/sign-in', '/sign-up', '/docs', '/docs/reference'])('is in the footer of %s', async (path) => {
    const { html } = await browser.get(path);
    expect(readFooter(html)).toContain(LINK);
    expect(readMain(html)).not.toContain(CONTACT);
  });

  it.each([
    ['de', 'Kontakt:'],
    ['en', 'Contact:'],
    ['es', 'Contacto:'],
    ['fr', 'Contact\u00a0:'],
    ['pt', 'Contato:'],
  ])('is on error pages, in %s', async (language, label) => {
    const client = new BrowserClient(server, { 'Accept-Language': language });
    const { status, html } = await client.get('/no-such-page');
    expect(status).toBe(404);
    expect(readFooter(html)).toContain(`${label} ${LINK}`);
    expect(html.match(new RegExp(CONTACT, 'g'))).toHaveLength(1);
  });

  it('is shown to a blocked person after the sign-in, and not beside failures', async () => {
    const { username } = await createAccount(server);
    await server.get(AccountsService).block(username, 'Posted advertisements.');
    const wrong = await browser.post('/sign-in', { username, password: 'wrong' });
    expect(readMain(wrong.html)).not.toContain(CONTACT);
    await browser.signIn({ username }, TEST_PASSWORD);
    for (const path of ['/account', '/account/apps', '/account/profile'])
      expect(readMain((await browser.get(path)).html)).toContain(LINK);
  });

  it('is shown to a blocked person whom an app asks for access', async () => {
    const account = await createAccount(server);
    const owner = new BrowserClient(server);
    await owner.signIn(account);
    await server.get(AccountsService).block(account.username, 'Posted advertisements.');
    const { status, html } = await owner.get(createAuthorizationRequest(await registerApp(server)).path);
    expect(status).toBe(403);
    expect(readMain(html)).toContain(LINK);
  });

  it('can be a website, and cannot end the attribute of the link', async () => {
    const website = await TestServer.start({ CONTACT: 'https://example.org/help?a="><b>&c' });
    const { html } = await new BrowserClient(website).get('/');
    expect(readFooter(html)).toContain('<a href="https://example.org/help?a=&quot;>&lt;b>&amp;c">example.org/help?a=');
    expect(html).not.toContain('<b>');
    await website.stop();
  });

  it('is absent if the operator set none', async () => {
    const silent = await TestServer.start();
    const { html } = await new BrowserClient(silent).get('/no-such-page');
    expect(html).not.toContain('Contact');
    await silent.stop();
  });
});

describe('PRIVACY_POLICY and STATUS_PAGE', () => {
  it('are linked in the footer of every page', async () => {
    const links = {
      PRIVACY_POLICY: 'https://map.example.org/privacy',
      STATUS_PAGE: 'https://status.example.org/?a=1&b',
    };
    const server = await TestServer.start(links);
    for (const path of ['/', '/sign-in', '/docs/reference', '/no-such-page']) {
      const { html } = await new BrowserClient(server).get(path);
      expect(html).toContain('<a href="https://map.example.org/privacy">Privacy policy</a>');
      expect(html).toContain('<a href="https://status.example.org/?a=1&amp;b">Service status</a>');
    }
    await server.stop();
  });

  it('are absent if the operator set none', async () => {
    const server = await TestServer.start();
    const { html } = await new BrowserClient(server).get('/');
    expect(html).not.toMatch(/Privacy policy|Service status/);
    await server.stop();
  });
});
