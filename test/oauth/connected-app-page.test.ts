import { afterEach, describe, expect, it } from '@jest/globals';
import { describeScope } from '../../src/identity/scopes/scope-messages.js';
import { grantConsent, createAuthorizationRequest, parseRedirectParams } from '../support/authorization-flow.js';
import { registerApp } from '../support/factories.js';
import { restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import type { PageResponse } from '../support/browser-client.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const CONNECTED_APPS_PATH = '/account/apps';

describe('The page of one connected app', () => {
  const fixture = OAuthFixture.use({ app: () => ({ description: 'Walks from mural to mural.' }) });
  afterEach(restoreClock);

  const page = (): Promise<PageResponse> => fixture.browser.get(CONNECTED_APPS_PATH);
  const appPath = (): string => `${CONNECTED_APPS_PATH}/${fixture.app.app.id}`;
  const appPage = (): Promise<PageResponse> => fixture.browser.get(appPath());
  const listSignIns = (results: PageResponse): string[] =>
    listRemovableIds(results).filter((what) => what.startsWith('aut_'));
  const listRemovableIds = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/name="what" value="([^"]*)"/g)].map(([, what]) => what!);
  /** Posts the form. @returns the page to which it leads */
  const remove = async (what: string): Promise<string> =>
    (await fixture.browser.get((await fixture.browser.post(CONNECTED_APPS_PATH, { what })).location!)).html;
  const denyScopes = async (scope: string): Promise<void> => {
    const consentPage = await fixture.authorize({ scope, prompt: 'consent' });
    await fixture.browser.submitForm(consentPage, '/consent', { decision: 'deny' });
  };
  const times = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/<time datetime="([^"]*)"/g)].map(([, at]) => at!);

  it('shows the scopes, the dates of access and of the last renewal, and the consent of each app', async () => {
    const consentedAt = Date.now();
    await grantConsent(fixture.browser, createAuthorizationRequest(fixture.app, { scope: 'openid markers:read' }).path);
    advanceClock(600 * SECOND_MS);
    const { path, codeVerifier } = createAuthorizationRequest(fixture.app, { scope: 'openid' });
    const { body } = await fixture.exchangeCode(
      parseRedirectParams(await fixture.browser.get(path)).code,
      codeVerifier,
    );
    advanceClock(3600 * SECOND_MS);
    await fixture.refreshTokens(body.refresh_token as string);
    expect((await page()).html).toContain('Sees your identity');
    const results = await appPage();
    expect(results.html).toContain(fixture.app.app.name);
    expect(results.html).toContain('Walks from mural to mural.');
    expect(results.html).toContain(describeScope('openid', 'en', fixture.app.app.name));
    expect(results.html).not.toContain(describeScope('markers:read', 'en', fixture.app.app.name));
    expect(results.html).toContain('within 60 minutes');
    const [allowed, since, lastRenewed] = times(results).map((at) => Date.parse(at));
    expect(Math.abs(allowed! - consentedAt)).toBeLessThan(60_000);
    expect(Math.abs(since! - consentedAt - 600_000)).toBeLessThan(60_000);
    expect(Math.abs(lastRenewed! - since! - 3600_000)).toBeLessThan(60_000);
  });

  it('does not promise a silent reconnection of a public client that must always ask', async () => {
    const redirect_uri = 'org.example.walk:/callback';
    const app = await registerApp(fixture.server, { clientType: 'public', redirectUris: [redirect_uri] });
    await grantConsent(fixture.browser, createAuthorizationRequest(app, { redirect_uri }).path);
    const { html } = await fixture.browser.get(`${CONNECTED_APPS_PATH}/${app.app.id}`);
    expect(html).toContain('It asks you each time it connects.');
    expect(html).not.toContain('without asking you');
  });

  it('ends one sign-in of several with "End this sign-in", and keeps the others and the consent', async () => {
    const first = await fixture.authorizeApp();
    const second = await fixture.authorizeApp({ prompt: 'consent' });
    const [, older, ...more] = listSignIns(await appPage());
    expect(more).toEqual([]);
    expect(await remove(older!)).toContain(`One sign-in of ${fixture.app.app.name} ended. Its other sign-ins stay.`);
    expect((await fixture.refreshTokens(first.body.refresh_token as string)).body.error).toBe('invalid_grant');
    expect((await fixture.refreshTokens(second.body.refresh_token as string)).status).toBe(200);
    expect(await fixture.requiresConsent()).toBe(false);
    expect(listSignIns(await appPage())).toEqual([]);
    expect(listRemovableIds(await page())).toEqual([fixture.app.app.id]);
  });

  it('ends only its own sign-in when an old form is posted again, and keeps the consent', async () => {
    await fixture.authorizeApp();
    const second = await fixture.authorizeApp({ prompt: 'consent' });
    const [newer, older] = listSignIns(await appPage());
    for (let count = 0; count < 2; count++) expect(await remove(older!)).toContain('Its other sign-ins stay.');
    expect((await fixture.refreshTokens(second.body.refresh_token as string)).status).toBe(200);
    const html = await remove(newer!);
    expect(html).toContain(`The last sign-in of ${fixture.app.app.name} ended.`);
    expect((await appPage()).html).toContain('This app is not connected now. It can connect again without asking you.');
    expect(await fixture.requiresConsent()).toBe(false);
  });

  it('offers no "End this sign-in" for the only sign-in', async () => {
    await fixture.authorizeApp();
    const { html } = await appPage();
    expect(html).not.toContain('End this sign-in');
    expect(html.match(/Remove access/g)).toHaveLength(1);
  });

  it('shows the scopes that are allowed now, and omits a sign-in without any', async () => {
    await fixture.authorizeApp({ scope: 'profile markers:read' });
    await fixture.authorizeApp({ scope: 'artists:read' });
    await denyScopes('markers:read');
    expect((await appPage()).html).toContain(describeScope('profile', 'en', fixture.app.app.name));
    expect((await appPage()).html).not.toContain(describeScope('markers:read', 'en', fixture.app.app.name));
    expect(listSignIns(await appPage())).toHaveLength(2);
    await denyScopes('profile');
    expect(listSignIns(await appPage())).toEqual([]);
    expect((await appPage()).html).toContain(describeScope('artists:read', 'en', fixture.app.app.name));
  });

  it('lists and removes tokens that the operator issued', async () => {
    const tokens = await fixture.issueTokens();
    expect((await appPage()).html).toContain('The people who run this map connected this app for testing.');
    await fixture.browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect((await fixture.refreshTokens(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('shows the day on which each permission was allowed', async () => {
    await fixture.authorizeApp({ scope: 'openid' });
    advanceClock(3 * DAY_MS);
    await fixture.browser.signIn(fixture.account);
    await fixture.authorizeApp({ scope: 'openid markers:read' });
    const { html } = await appPage();
    const list = /<ul class="scopes">(.*?)<\/ul>/s.exec(html)![1]!;
    const days = [...list.matchAll(/datetime="([^"]*)"/g)].map(([, at]) => Date.parse(at!));
    expect(Math.round((days[1]! - days[0]!) / DAY_MS)).toBe(3);
  });

  it.each(['app_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense'])('does not exist for %s', async (id) => {
    expect((await fixture.browser.get(`${CONNECTED_APPS_PATH}/${id}`)).status).toBe(404);
    expect((await fixture.browser.post(`${CONNECTED_APPS_PATH}/${id}`, { what: 'access' })).status).toBe(404);
  });

  it('does not exist for an app that the person never connected, and exists after the removal', async () => {
    expect((await appPage()).status).toBe(404);
    await fixture.authorizeApp();
    await remove(fixture.app.app.id);
    const { status, html } = await appPage();
    expect({ status, offersRemoval: html.includes('value="access"') }).toEqual({ status: 200, offersRemoval: false });
  });
});
