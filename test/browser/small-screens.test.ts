import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Chromium } from '../support/chromium.js';
import { type Cast, dismiss, newCast, SCENES } from './scenes.js';

describe('Nothing scrolls sideways, in German and with letters twice as large either,', () => {
  let chromium: Chromium;
  let cast: Cast;

  beforeAll(async () => {
    chromium = await Chromium.start();
    cast = await newCast(chromium);
  });
  afterEach(() => chromium.leave());
  afterAll(async () => {
    await dismiss(cast);
    await chromium.stop();
  });

  it.each(Object.entries(SCENES))('on the page: %s', async (_, come) => {
    for (const locale of ['en', 'de']) {
      const person = await chromium.person({ locale }, [cast.walker]);
      await come(person, cast);
      for (const letters of ['100%', '200%']) {
        await person.page.evaluate((size) => void (document.documentElement.style.fontSize = size), letters);
        for (const width of [320, 360, 1400]) {
          await person.page.setViewportSize({ width, height: 800 });
          const seen = { locale, letters, width };
          expect({ ...seen, found: await stickingOutOf(person.page) }).toEqual({ ...seen, found: [] });
        }
      }
    }
  });
});

/** What reaches past the sides of the window, but for what waits there to be focused; and by how much it scrolls. */
function stickingOutOf(page: Page): Promise<string[]> {
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
