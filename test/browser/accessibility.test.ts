import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectNoOverflow } from '../support/overflow.js';
import { findAxeViolations } from '../support/axe.js';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

describe('Accessibility in narrow and wide windows, light and dark, and with forced colors', () => {
  const context = usePageStates();

  it.each(Object.entries(PAGE_STATES))('has no violation, no active content and no overflow: %s', async (_, open) => {
    const page = await context.environment.openPage({}, [context.detailedApp]);
    await open(page, context);
    expect(await findActiveContent(page.page)).toEqual([]);
    for (const width of [360, 1400]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.page.setViewportSize({ width, height: 800 });
        await page.page.emulateMedia({ colorScheme });
        const onlyColors = colorScheme === 'dark';
        expect({ width, colorScheme, found: await findAxeViolations(page.page, { onlyColors }) }).toEqual({
          width,
          colorScheme,
          found: [],
        });
      }
    }
    await page.page.emulateMedia({ colorScheme: null, forcedColors: 'active' });
    // Axe does not know the system colors, and leaves contrasts undecided.
    expect({ forcedColors: true, found: await findAxeViolations(page.page, { isStrict: false }) }).toEqual({
      forcedColors: true,
      found: [],
    });
    await page.page.emulateMedia({ forcedColors: null });
    await expectNoOverflow(page.page, 'en');
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
