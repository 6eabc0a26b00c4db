import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { type PageStateContext, disposeContext, createContext, PAGE_STATES } from './page-states.js';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe('Everybody can use, on every screen, light and dark,', () => {
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

  it.each(Object.entries(PAGE_STATES))('the page: %s, which runs nothing', async (_, come) => {
    const person = await chromium.openPage({}, [cast.detailedApp]);
    await come(person, cast);
    expect(await findActiveContent(person.page)).toEqual([]);
    for (const width of [360, 1400]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await person.page.setViewportSize({ width, height: 800 });
        await person.page.emulateMedia({ colorScheme });
        expect({ width, colorScheme, found: await findAxeViolations(person.page) }).toEqual({
          width,
          colorScheme,
          found: [],
        });
      }
    }
  });
});

/** What axe finds, or cannot decide, each with the element that it is about. */
async function findAxeViolations(page: Page): Promise<string[]> {
  // By itself axe opens another window for what frames say; there are none.
  const { violations, incomplete } = await new AxeBuilder({ page }).withTags(AXE_TAGS).setLegacyMode().analyze();
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** All that could run on a page. */
function findActiveContent(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const attributes = [...element.attributes];
        const runs = attributes.some(({ name, value }) => name.startsWith('on') || /^\s*javascript:/i.test(value));
        return element.matches('script, iframe, object, embed') || runs;
      })
      .map(({ outerHTML }) => outerHTML),
  );
}
