import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { findAxeViolations } from '../support/axe.js';
import { ExampleProcess } from '../support/example-process.js';

const APP_URL = 'http://localhost:4200';

describe('npm run example:browser', () => {
  let example: ExampleProcess;
  let page: Page;
  const requests: Request[] = [];

  beforeAll(async () => {
    example = await ExampleProcess.start('scripts/run-browser-example.js', 'examples/pocket-map', APP_URL);
    page = example.page;
    page.on('request', (request) => requests.push(request));
  });
  afterAll(() => example.stop());

  const countTokenRequests = (): number =>
    requests.filter((request) => request.method() === 'POST' && request.url().endsWith('/api/oauth/token')).length;

  it('explains a denial, and offers the sign-in again', async () => {
    await page.goto(APP_URL);
    await example.clickButton('Sign in with the street art map');
    await page.getByLabel('Username or e-mail').fill('mila');
    await page.getByLabel('Password').fill(example.password);
    await example.clickButton('Sign in');
    await example.clickButton('Deny');
    await example.waitForText('You decided not to connect Pocket Map. Nothing was shared.');
    expect(await page.getByRole('button', { name: 'Sign in with the street art map' }).isVisible()).toBe(true);
  });

  it('signs a person in without a client secret', async () => {
    await example.clickButton('Sign in with the street art map');
    await example.clickButton('Allow');
    await example.waitForText('Signed in as Mila Vos');
    const form = requests.find((request) => request.url().endsWith('/api/oauth/token'))!.postData()!;
    expect(new URLSearchParams(form).has('client_secret')).toBe(false);
    expect(page.url()).toBe(`${APP_URL}/`);
  });

  it('shows the markers of the view as GeoJSON from another origin', async () => {
    await page.getByRole('button', { name: 'Echo Wall', exact: true }).waitFor();
    const response = await requests.findLast((request) => request.url().includes('/api/markers?'))!.response();
    expect(response!.headers()['content-type']).toMatch(/^application\/geo\+json/);
    expect(await page.locator('.leaflet-interactive').count()).toBeGreaterThan(5);
    const artworks = page.locator('#markers li:has(button + button)');
    expect(await artworks.locator('.picture').count()).toBe(await artworks.count());
    expect(await findAxeViolations(page, { isStrict: false })).toEqual([]);
  });

  it('adds an artwork to the walk, and removes it', async () => {
    await example.clickButton('Add to walk: Echo Wall');
    await page.getByRole('button', { name: 'Remove: Echo Wall' }).waitFor();
    await example.clickButton('Remove: Echo Wall');
    await page.getByRole('button', { name: 'Remove: Echo Wall' }).waitFor({ state: 'detached' });
  });

  it('orders the walk', async () => {
    const titles = ['Echo Wall', 'The Fox That Waited for the Tram'];
    for (const title of titles) {
      await example.clickButton(`Add to walk: ${title}`);
      await page.getByRole('button', { name: `Remove: ${title}` }).waitFor();
    }
    expect(await page.locator('#stops .title').allTextContents()).toEqual(titles);
    expect(await page.getByRole('button', { name: `Up: ${titles[0]}` }).isDisabled()).toBe(true);
    await example.clickButton(`Up: ${titles[1]}`);
    await page.locator('#stops li:first-child', { hasText: titles[1]! }).waitFor();
    await page.reload();
    await page.locator('#stops li:first-child', { hasText: titles[1]! }).waitFor();
    for (const title of titles) {
      await example.clickButton(`Remove: ${title}`);
      await page.getByRole('button', { name: `Remove: ${title}` }).waitFor({ state: 'detached' });
    }
  });

  it('shows clusters at a low zoom level, which open on a click', async () => {
    const cluster = page.locator('.cluster').first();
    while (!(await cluster.isVisible())) {
      const loaded = page.waitForResponse((response) => response.url().includes('/api/markers'));
      await example.clickButton('Zoom out');
      await loaded;
      await page.waitForFunction(() => !document.querySelector('.leaflet-zoom-anim'));
    }
    await page.getByRole('button', { name: /^\d+ artworks and places\. Show them$/ }).waitFor();
    await example.waitForText('artworks and places. Zoom in to list them.');
    expect(await findAxeViolations(page, { isStrict: false })).toEqual([]);
    await cluster.focus();
    await cluster.press('Enter');
    await page.locator('#markers li').first().waitFor();
  });

  it('finds an artwork in its copy of the map without a connection', async () => {
    await example.waitForText('artworks and places are saved on this device.');
    await page.context().setOffline(true);
    await page.getByLabel('Title').fill('echo');
    await page.locator('#found').getByRole('button', { name: 'Echo Wall' }).waitFor();
    await page.context().setOffline(false);
    await page.reload();
    await example.waitForText('artworks and places are saved on this device.');
    const feed = requests.findLast((request) => request.url().includes('/api/markers/changes'))!;
    expect(new URL(feed.url()).searchParams.get('since')).not.toBeNull();
    await page.getByLabel('Title').fill('');
  });

  it('refreshes its tokens after a 401', async () => {
    const before = countTokenRequests();
    await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((name) => name.startsWith('oidc.user:'))!;
      const user = JSON.parse(sessionStorage.getItem(key)!) as { access_token: string };
      sessionStorage.setItem(key, JSON.stringify({ ...user, access_token: 'expired' }));
    });
    await example.clickButton('Add to walk: Echo Wall');
    await page.getByRole('button', { name: 'Remove: Echo Wall' }).waitFor();
    expect(countTokenRequests()).toBe(before + 1);
  });

  it('asks again for a response to localhost, although the person allowed it before', async () => {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(APP_URL);
    await example.clickButton('Sign in with the street art map');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await example.clickButton('Allow');
    await example.waitForText('Signed in as Mila Vos');
  });

  it('revokes its tokens and signs the person out', async () => {
    const revoked = page.waitForResponse((response) => response.url().endsWith('/api/oauth/revoke'));
    await example.clickButton('Sign out');
    expect((await revoked).status()).toBe(200);
    await page.getByRole('button', { name: 'Sign in with the street art map' }).waitFor();
  });

  it('contacts no third party', () => {
    const origins = new Set(requests.map((request) => new URL(request.url()).origin));
    expect([...origins].sort()).toEqual([example.serviceUrl, APP_URL].sort());
  });
});
