import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

/** Elements that the key Tab reaches, if they are visible: of radio buttons, the checked one. */
const CONTROLS =
  'a[href], button, input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, summary, [tabindex="0"]';

describe('The keyboard', () => {
  const context = usePageStates();

  it.each(Object.entries(PAGE_STATES))('reaches every control, with a visible focus: %s', async (_, open) => {
    const browser = await context.environment.openPage({}, [context.detailedApp]);
    await open(browser, context);
    const { page } = browser;
    const count = await markControls(page);
    await page.evaluate('document.activeElement.blur()');
    const reached = new Set<string>();
    const withoutOutline: string[] = [];
    for (let stop = 0; stop < 2 * count + 5 && reached.size < count; stop++) {
      await page.keyboard.press('Tab');
      const focused = await describeFocus(page);
      if (!focused) continue;
      if (focused.mark !== null) reached.add(focused.mark); // A region that scrolls has no mark.
      if (!focused.hasOutline) withoutOutline.push(focused.html);
    }
    const missing = await page.evaluate(
      (marks) =>
        [...document.querySelectorAll('[data-mark]')]
          .filter((element) => !marks.includes(element.getAttribute('data-mark')!))
          .map(({ outerHTML }) => outerHTML.slice(0, 150)),
      [...reached],
    );
    expect({ missing, withoutOutline }).toEqual({ missing: [], withoutOutline: [] });
  });
});

/** Numbers the controls that can have the focus. @returns their number */
function markControls(page: Page): Promise<number> {
  return page.evaluate((selector) => {
    const controls = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (element) => element.checkVisibility() && element.tabIndex >= 0 && !element.matches(':disabled'),
    );
    controls.forEach((element, index) => element.setAttribute('data-mark', String(index)));
    return controls.length;
  }, CONTROLS);
}

/** Returns the element that has the focus; null for the page itself. */
function describeFocus(page: Page): Promise<{ mark: string | null; hasOutline: boolean; html: string } | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const hasOutline = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
    return { mark: element.getAttribute('data-mark'), hasOutline, html: element.outerHTML.slice(0, 150) };
  });
}
