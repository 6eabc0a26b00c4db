import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { createAccount, registerApp } from '../support/factories.js';
import { findFreePort } from '../support/free-port.js';
import { launchChromium } from '../support/launch-chromium.js';
import { TestServer } from '../support/test-server.js';

/** The programs of browser apps, with the settings of the documents of each library. */
const PROGRAMS = {
  'oidc-spa': `
    import { oidcEarlyInit } from 'oidc-spa/entrypoint';
    const { shouldLoadApp } = oidcEarlyInit({ BASE_URL: '/' });
    if (shouldLoadApp) {
      const { createOidc } = await import('oidc-spa/core');
      const oidc = await createOidc({ issuerUri: ISSUER, clientId: CLIENT_ID, scopes: ['profile'] });
      if (oidc.isUserLoggedIn) show(oidc.getDecodedIdToken().name);
      else offer(() => oidc.login({ doesCurrentHrefRequiresAuth: false }));
    }`,
  '@axa-fr/oidc-client': `
    import { OidcClient } from '@axa-fr/oidc-client';
    const oidc = OidcClient.getOrCreate(() => fetch)({
      client_id: CLIENT_ID,
      redirect_uri: location.origin + '/callback',
      scope: 'openid profile offline_access',
      authority: ISSUER,
    });
    await oidc.tryKeepExistingSessionAsync();
    if (location.pathname === '/callback') {
      await oidc.loginCallbackAsync();
      show(oidc.tokens.idTokenPayload.name);
    } else offer(() => oidc.loginAsync('/'));`,
  'react-oidc-context': `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { AuthProvider, useAuth } from 'react-oidc-context';
    const App = () => {
      const auth = useAuth();
      if (auth.isLoading) return null;
      if (auth.isAuthenticated) return createElement('h1', null, auth.user.profile.name);
      return createElement('button', { onClick: () => auth.signinRedirect() }, 'Log in');
    };
    const settings = {
      authority: ISSUER,
      client_id: CLIENT_ID,
      redirect_uri: location.origin + '/callback',
      scope: 'openid profile',
      onSigninCallback: () => history.replaceState({}, '', '/'),
    };
    createRoot(addRoot()).render(createElement(AuthProvider, settings, createElement(App)));`,
  'react-oauth2-code-pkce': `
    import { createElement, useContext } from 'react';
    import { createRoot } from 'react-dom/client';
    import { AuthContext, AuthProvider } from 'react-oauth2-code-pkce';
    const App = () => {
      const { idTokenData, logIn, loginInProgress } = useContext(AuthContext);
      if (idTokenData) return createElement('h1', null, idTokenData.name);
      return loginInProgress ? null : createElement('button', { onClick: () => logIn() }, 'Log in');
    };
    const authConfig = {
      clientId: CLIENT_ID,
      authorizationEndpoint: ISSUER + '/api/oauth/authorize',
      tokenEndpoint: ISSUER + '/api/oauth/token',
      redirectUri: location.origin + '/callback',
      scope: 'openid profile',
      autoLogin: false,
    };
    createRoot(addRoot()).render(createElement(AuthProvider, { authConfig }, createElement(App)));`,
  'angular-oauth2-oidc': `
    import '@angular/compiler';
    import { provideHttpClient } from '@angular/common/http';
    import { provideZonelessChangeDetection } from '@angular/core';
    import { createApplication } from '@angular/platform-browser';
    import { OAuthService, provideOAuthClient } from 'angular-oauth2-oidc';
    const providers = [provideZonelessChangeDetection(), provideHttpClient(), provideOAuthClient()];
    const oauth = (await createApplication({ providers })).injector.get(OAuthService);
    oauth.configure({
      issuer: ISSUER,
      clientId: CLIENT_ID,
      redirectUri: location.origin + '/callback',
      responseType: 'code',
      scope: 'openid profile email offline_access api',
    });
    await oauth.loadDiscoveryDocumentAndTryLogin();
    if (oauth.hasValidIdToken()) show(oauth.getIdentityClaims().name);
    else offer(() => oauth.initCodeFlow());`,
};

const PAGE_FUNCTIONS = `
  const show = (name) => { document.body.innerHTML = '<h1></h1>'; document.querySelector('h1').textContent = name; };
  const addRoot = () => document.body.appendChild(document.createElement('div'));
  const offer = (login) => {
    document.body.innerHTML = '<button>Log in</button>';
    document.querySelector('button').onclick = login;
  };`;

describe('The session of a browser app has the name of the person', () => {
  let server: TestServer;
  let browser: Browser;
  let site: Server;

  beforeAll(async () => {
    const port = String(await findFreePort());
    server = await TestServer.start({ PORT: port, BASE_URL: `http://localhost:${port}` });
    browser = await launchChromium();
  });
  afterEach(async () => {
    site.closeAllConnections();
    site.close();
    await once(site, 'close');
  });
  afterAll(() => browser.close().finally(() => server.stop()));

  /** Serves the program of an app. @returns its address */
  async function serve(program: string, clientId: string): Promise<string> {
    const constants = `const ISSUER = '${server.settings.BASE_URL}'; const CLIENT_ID = '${clientId}';`;
    const stdin = { contents: constants + PAGE_FUNCTIONS + program, resolveDir: resolve('test/tools') };
    const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'silent' });
    site = createServer((request, response) => {
      const isScript = request.url === '/app.js';
      response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? outputFiles[0]!.text : '<!doctype html><script type="module" src="/app.js"></script>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }

  it.each(Object.entries(PROGRAMS))('with %s', async (_, program) => {
    const redirectUris = ['http://127.0.0.1/', 'http://127.0.0.1/callback'];
    const { app } = await registerApp(server, { clientType: 'public', redirectUris });
    const account = await createAccount(server, { name: 'Mila Vos' });
    const page = await browser.newPage();
    await page.goto(await serve(program, app.id));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Username or e-mail').fill(account.username);
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Mila Vos' }).waitFor();
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    await page.close();
  });
});
