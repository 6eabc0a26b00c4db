import { describe, expect, it } from '@jest/globals';
import { issueTokens, registerApp } from '../support/factories.js';
import { signInNewMember } from './page-state-actions.js';
import { usePageStates } from './page-state-context.js';

const LANGUAGES = ['de', 'en', 'es', 'fr', 'pt'];

const SCREEN = { width: 360, height: 740 };

describe('The page of ten connected apps', () => {
  const context = usePageStates();

  it('fits two screens of a phone', async () => {
    const { server } = context.environment;
    for (const locale of LANGUAGES) {
      const browser = await context.environment.openPage({ locale, viewport: SCREEN });
      const account = await signInNewMember(browser, context);
      for (let count = 0; count < 10; count++) {
        const { app } = await registerApp(server, { name: `${locale} Map Tool ${count + 1}` });
        await issueTokens(server, { app, account });
      }
      await browser.goto('/account/apps');
      const box = (await browser.page.locator('.app-list').boundingBox())!;
      const fits = box.y + box.height <= 2 * SCREEN.height;
      expect({ locale, fits }).toEqual({ locale, fits: true });
    }
  });
});
