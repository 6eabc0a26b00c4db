import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** Expects that a page does not scroll horizontally at three widths, also with large text. */
export async function expectNoOverflow(page: Page, locale: string): Promise<void> {
  for (const textSize of ['100%', '200%']) {
    await page.evaluate((size) => void (document.documentElement.style.fontSize = size), textSize);
    for (const width of [320, 360, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      const results = { locale, letters: textSize, width };
      expect({ ...results, found: await findOverflowingElements(page) }).toEqual({ ...results, found: [] });
    }
  }
}

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
