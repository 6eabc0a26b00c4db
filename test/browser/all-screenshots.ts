import { describe, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_NAMES } from '../../src/platform/i18n/language.js';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

/** The folder of the screenshots, which the repository ignores. */
const FOLDER = 'screenshots';

const SCREENS = { wide: { width: 1400, height: 900 }, phone: { width: 360, height: 740 } };

/** Saves a screenshot of every page in each of its states, for a review by eye. */
describe('Screenshots of every page', () => {
  const context = usePageStates();
  mkdirSync(FOLDER, { recursive: true });

  it.each(Object.entries(PAGE_STATES))('are saved: %s', async (state, open) => {
    for (const locale of Object.keys(LANGUAGE_NAMES)) {
      const browser = await context.environment.openPage({ locale }, [context.detailedApp]);
      await open(browser, context);
      for (const [screen, viewport] of Object.entries(SCREENS)) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await browser.page.setViewportSize(viewport);
          await browser.page.emulateMedia({ colorScheme });
          const name = `${state.replaceAll(' ', '-')}.${locale}.${screen}-${colorScheme}.jpg`;
          await browser.page.screenshot({ path: join(FOLDER, name), fullPage: true, type: 'jpeg', quality: 60 });
        }
      }
      await context.environment.closePages();
    }
  });
});
