import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAxeViolations } from '../support/axe.js';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

/** Colors do not depend on the width, so two windows cover both widths and both color schemes. */
const WINDOWS = [
  { width: 360, colorScheme: 'light' },
  { width: 1400, colorScheme: 'dark' },
] as const;

describe('Accessibility in narrow and wide windows, light and dark, and with forced colors', () => {
  const context = usePageStates();

  it.each(Object.entries(PAGE_STATES))('has no violation and no active content: %s', async (_, open) => {
    const page = await context.environment.openPage({}, [context.detailedApp]);
    await open(page, context);
    expect(await findActiveContent(page.page)).toEqual([]);
    for (const { width, colorScheme } of WINDOWS) {
      await page.page.setViewportSize({ width, height: 800 });
      await page.page.emulateMedia({ colorScheme });
      const found = await findAxeViolations(page.page);
      expect({ width, colorScheme, found }).toEqual({ width, colorScheme, found: [] });
    }
    await page.page.emulateMedia({ colorScheme: null, forcedColors: 'active' });
    // Axe does not know the system colors, and leaves contrasts undecided.
    expect({ forcedColors: true, found: await findAxeViolations(page.page, false) }).toEqual({
      forcedColors: true,
      found: [],
    });
  });
});

/** Returns the elements that could run a script that is not from this service. */
function findActiveContent(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const attributes = [...element.attributes];
        const runs = attributes.some(({ name, value }) => name.startsWith('on') || /^\s*javascript:/i.test(value));
        const isOwnScript = element.matches('script:is([src^="/assets/"], [src^="/docs/assets/"]):empty');
        return (element.matches('script, iframe, object, embed') && !isOwnScript) || runs;
      })
      .map(({ outerHTML }) => outerHTML),
  );
}
