import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount } from '../support/factories.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { usePageStates } from './page-state-context.js';
import { signInByRequest } from './page-state-actions.js';
import type { BrowserPage } from '../support/browser-page.js';

const PHONE = { viewport: { width: 360, height: 740 } };
const LONG_NAME = 'Maximiliane Konstantinopolitanskaya-Featherstonehaugh';

describe('The header', () => {
  const context = usePageStates();
  let environment: BrowserEnvironment;

  beforeEach(() => {
    environment = context.environment;
  });

  /** Opens the page of connected apps of a person. */
  const openAsMember = async (options: object, name: string): Promise<BrowserPage> => {
    const browser = await environment.openPage(options);
    await signInByRequest(browser, await createAccount(environment.server, { name }));
    await browser.goto('/account/apps');
    return browser;
  };

  it('is one line on a phone, signed out and with a long name, in each language', async () => {
    for (const locale of ['de', 'en', 'es', 'fr', 'pt']) {
      for (const width of [320, 360]) {
        const phone = { locale, viewport: { width, height: 740 } };
        const signedOut = await environment.openPage(phone);
        await signedOut.goto('/');
        for (const { page } of [signedOut, await openAsMember(phone, LONG_NAME)]) {
          const { height } = (await page.locator('header').boundingBox())!;
          expect({ locale, width, isOneLine: height < 70 }).toEqual({ locale, width, isOneLine: true });
        }
        await environment.closePages();
      }
    }
  });

  it('names the person and marks the current page', async () => {
    const { page } = await openAsMember({}, 'Mila Vos');
    const header = page.getByRole('banner');
    expect(await header.getByText('Mila Vos').last().isVisible()).toBe(true);
    expect(await header.locator('[aria-current]').allInnerTexts()).toEqual(['Connected apps']);
  });

  it('opens its menu on a phone with the keyboard, and closes it with Escape', async () => {
    const { page } = await openAsMember({ ...PHONE, javaScriptEnabled: false }, 'Mila Vos');
    const link = page.getByRole('link', { name: 'Activity' });
    const button = page.getByRole('button', { name: 'Menu: Mila Vos' });
    expect(await link.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    await link.waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await button.click();
    await link.click();
    await page.getByRole('heading', { name: 'Account activity' }).waitFor();
  });

  it('stays in the page when the language changes', async () => {
    const { page } = await openAsMember({}, 'Mila Vos');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Verbundene Apps' }).waitFor();
    await page.getByRole('link', { name: 'Aktivität' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });
});
