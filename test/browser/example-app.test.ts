import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAxeViolations } from '../support/axe.js';
import { ExampleProcess } from '../support/example-process.js';

const APP_URL = 'http://127.0.0.1:4100';

describe('npm run example', () => {
  let example: ExampleProcess;
  let page: Page;

  beforeAll(async () => {
    example = await ExampleProcess.start('scripts/run-example.js', 'examples/mural-walk', APP_URL);
    page = example.page;
  });
  afterAll(() => example.stop());

  const clickButton = (name: string | RegExp): Promise<void> => example.clickButton(name);
  const clickLink = (name: string | RegExp): Promise<void> => example.clickLink(name);
  const waitForText = (text: string | RegExp): Promise<void> => example.waitForText(text);

  it('continues after a denial without an error', async () => {
    await page.goto(APP_URL);
    await clickLink('Sign in with the street art map');
    await page.getByLabel('Username or e-mail').fill('mila');
    await page.getByLabel('Password').fill(example.password);
    await clickButton('Sign in');
    await clickButton('Deny');
    await waitForText('You decided not to connect Mural Walk.');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await findAxeViolations(page)).toEqual([]);
    await clickLink('Back to the start');
  });

  it('signs an account in, without the scope for collections', async () => {
    await clickLink('Sign in with the street art map');
    await page.getByRole('checkbox', { name: /^Collections can be created/ }).uncheck();
    await clickButton('Allow');
    await page.getByRole('heading', { name: 'Nearby, Mila Vos' }).waitFor();
  });

  it('shows markers near a place, the nearest first', async () => {
    await clickLink('Null Harbour');
    await page.getByRole('heading', { name: 'Zero, Zero' }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Zero, Zero');
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('shows a picture of each artwork', async () => {
    const pictures = page.locator('.cards li:has(h2 a) img');
    expect(await pictures.count()).toBe(await page.locator('.cards h2 a').count());
    const widths = await pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    expect(widths[0]).toBeGreaterThan(0);
  });

  it('shows a missing scope, requests it, and then changes a collection', async () => {
    await clickButton(/^Add to my walk/);
    await waitForText('You have not allowed this app to change your collections.');
    expect(await findAxeViolations(page)).toEqual([]);
    await clickLink(/^Ask for permission/);
    await clickButton('Remove access');
    await waitForText('You decided not to connect Mural Walk.');
    await clickLink('Back to the start');
    await clickLink('Sign in with the street art map');
    await page.getByRole('checkbox', { name: /^Collections can be created/ }).uncheck();
    await clickButton('Allow');
    await clickButton(/^Add to my walk/);
    await clickLink(/^Ask for permission/);
    await page.getByRole('checkbox', { name: /^Collections can be created/ }).check();
    await clickButton('Allow');
    await page.waitForURL(`${APP_URL}/**`);
    await clickButton(/^Add to my walk/);
    await waitForText('Added to your walk.');
    await clickButton(/^Remove/);
    await waitForText('Removed from your walk.');
  });

  it('suggests an edit, which its author cannot accept', async () => {
    await clickLink('Nearby');
    await clickLink('Echo Wall');
    await page.getByLabel('Year').fill('2020');
    await page.getByLabel('Reason').fill('It says so on the wall.');
    await clickButton('Suggest the change');
    await waitForText('Your suggestion is open. A reviewer will look at it.');
    await clickLink('Suggestions');
    await clickButton(/^Accept/);
    await waitForText('You have not allowed this app to review suggestions.');
    await clickLink(/^Ask for permission/);
    await clickButton('Allow');
    await page.waitForURL(`${APP_URL}/**`);
    await clickLink('Suggestions');
    await clickButton(/^Accept/);
    await waitForText(/Authors cannot accept/);
  });

  it('refreshes its tokens', async () => {
    await clickLink('Access');
    await waitForText(/Renewals so far:\s+0/);
    expect(await findAxeViolations(page)).toEqual([]);
    await clickButton('Renew now');
    await waitForText(/Renewals so far:\s+1/);
  });

  it('signs out of the app and the map', async () => {
    await clickButton('Sign out');
    await clickLink('Sign in with the street art map');
    await page.getByLabel('Password').waitFor();
  });
});
