import { describe, expect, it } from '@jest/globals';
import { usePageStates } from './page-state-context.js';
import { CONSENT_PAGE_STATES } from './consent-page-states.js';

const LANGUAGES = ['de', 'en', 'es', 'fr', 'pt'];

/** Most words of the page with five scopes, in any language. */
const MAX_WORDS = 260;

describe('The consent page with five scopes', () => {
  const context = usePageStates();

  it.each([
    { width: 1400, height: 900, screens: 1 },
    { width: 360, height: 740, screens: 1.5 },
  ])('shows both buttons within $screens screens of $width × $height', async ({ width, height, screens }) => {
    for (const locale of LANGUAGES) {
      const how = { locale, viewport: { width, height } };
      const browser = await context.environment.openPage(how, [context.detailedApp]);
      await CONSENT_PAGE_STATES['consent']!(browser, context);
      for (const decision of ['allow', 'deny']) {
        const box = (await browser.page.locator(`[value=${decision}]`).boundingBox())!;
        const isWithinBounds = box.y + box.height <= height * screens;
        expect({ locale, decision, isWithinBounds }).toEqual({ locale, decision, isWithinBounds: true });
      }
    }
  });

  it(`has at most ${MAX_WORDS} words`, async () => {
    for (const locale of LANGUAGES) {
      const browser = await context.environment.openPage({ locale }, [context.detailedApp]);
      await CONSENT_PAGE_STATES['consent']!(browser, context);
      const words = (await browser.text()).split(/\s+/).length;
      expect({ locale, isShort: words <= MAX_WORDS }).toEqual({ locale, isShort: true });
    }
  });
});
