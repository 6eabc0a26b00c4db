import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

describe('Pages in German, which has the longest words, also with text of twice the size', () => {
  const context = usePageStates();

  it.each(Object.entries(PAGE_STATES))('do not scroll horizontally: %s', async (_, open) => {
    const page = await context.environment.openPage({ locale: 'de' }, [context.detailedApp]);
    await open(page, context);
    for (const textSize of ['100%', '200%']) {
      await page.page.evaluate((size) => void (document.documentElement.style.fontSize = size), textSize);
      for (const width of [320, 360, 1400]) {
        await page.page.setViewportSize({ width, height: 800 });
        const results = { letters: textSize, width };
        expect({ ...results, found: await findOverflowingElements(page.page) }).toEqual({ ...results, found: [] });
      }
    }
  });
});

/**
 * Returns the elements that overflow the viewport, and the width of the overflow. The skip link and
 * the content of a region that the keyboard can scroll may overflow.
 */
function findOverflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const matches = [...document.querySelectorAll('body *:not(.skip, [tabindex="0"] *)')].filter((element) => {
      const { left: remaining, right } = element.getBoundingClientRect();
      return remaining < -0.5 || right > clientWidth + 0.5;
    });
    return [
      ...matches.map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px`] : []),
    ];
  });
}
