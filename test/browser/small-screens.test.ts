import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { type PageStateContext, disposeContext, createContext, PAGE_STATES } from './page-states.js';

describe('Nothing scrolls sideways, in German and with letters twice as large either,', () => {
  let chromium: BrowserEnvironment;
  let cast: PageStateContext;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
    cast = await createContext(chromium);
  });
  afterEach(() => chromium.closePages());
  afterAll(async () => {
    await disposeContext(cast);
    await chromium.stop();
  });

  it.each(Object.entries(PAGE_STATES))('on the page: %s', async (_, come) => {
    for (const locale of ['en', 'de']) {
      const person = await chromium.openPage({ locale }, [cast.detailedApp]);
      await come(person, cast);
      for (const letters of ['100%', '200%']) {
        await person.page.evaluate((size) => void (document.documentElement.style.fontSize = size), letters);
        for (const width of [320, 360, 1400]) {
          await person.page.setViewportSize({ width, height: 800 });
          const seen = { locale, letters, width };
          expect({ ...seen, found: await findOverflowingElements(person.page) }).toEqual({ ...seen, found: [] });
        }
      }
    }
  });
});

/** What reaches past the sides of the window, but for what waits there to be focused; and by how much it scrolls. */
function findOverflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = [...document.querySelectorAll('body *:not(.skip)')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < -0.5 || right > clientWidth + 0.5;
    });
    return [
      ...found.map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px`] : []),
    ];
  });
}
