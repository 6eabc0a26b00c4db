import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserEnvironment } from '../support/browser-environment.js';
import type { BrowserPage } from '../support/browser-page.js';

describe('Documents', () => {
  let environment: BrowserEnvironment;
  let browser: BrowserPage;

  beforeAll(async () => {
    environment = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    browser = await environment.openPage({ viewport: { width: 320, height: 700 } });
  });
  afterEach(() => environment.closePages());
  afterAll(() => environment.stop());

  it('are reached from the home page through the API reference', async () => {
    await browser.goto('/');
    await browser.clickLink('API reference');
    await browser.clickLink('Quickstart');
    expect([browser.path, await browser.heading()]).toEqual(['/docs/quickstart', 'Quickstart']);
    await browser.clickLink('API reference');
    expect(browser.path).toBe('/docs');
  });

  it('name the shown document in the navigation, and link to their sections', async () => {
    await browser.goto('/docs/monitor');
    const documents = browser.page.getByRole('navigation', { name: 'Documents' });
    expect(await documents.locator('[aria-current]').allInnerTexts()).toEqual(['Monitor']);
    const contents = browser.page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'Metrics', exact: true }).click();
    expect(new URL(browser.page.url()).hash).toBe('#metrics');
    const heading = await browser.page.getByRole('heading', { name: 'Metrics', exact: true }).boundingBox();
    expect(heading!.y).toBeLessThan(100);
  });

  it.each(['pre', '.scroll'])('scroll %s with the keyboard on a phone, with a visible focus', async (selector) => {
    await browser.goto('/docs/connect');
    const { page } = browser;
    await page.evaluate(() => document.fonts.ready.then(() => undefined)); // a font changes widths
    const regions = page.locator(`article ${selector}`);
    const wide = await regions.evaluateAll((all) => all.findIndex((one) => one.scrollWidth > one.clientWidth));
    const element = regions.nth(wide);
    await page.keyboard.press('Tab');
    await element.focus();
    expect(await element.evaluate((focused) => getComputedStyle(focused).outlineStyle)).toBe('solid');
    // A busy browser can lose a key that is pressed before it has drawn the focus.
    while ((await element.evaluate(({ scrollLeft }) => scrollLeft)) === 0) await page.keyboard.press('ArrowRight');
  });

  it('print the document alone, with wrapped code', async () => {
    await browser.goto('/docs/connect');
    const { page } = browser;
    await page.emulateMedia({ media: 'print' });
    expect(
      await page.locator('header, nav.documents').evaluateAll((all) => all.map((one) => one.checkVisibility())),
    ).toEqual([false, false]);
    const cut = await page
      .locator('article pre')
      .evaluateAll((all) =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
      );
    expect(cut).toEqual([]);
  });
});
