import axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns the violations of axe, each with its element. The script is loaded once for each page,
 * and reports only what is wrong: a report of everything takes longer than the checks.
 * @param isStrict whether to include checks that axe cannot decide
 */
export async function findAxeViolations(page: Page, isStrict = true): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ values, includesIncomplete }) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      const { violations, incomplete } = await loaded.run(document, {
        runOnly: { type: 'tag', values },
        resultTypes: ['violations', 'incomplete'],
      });
      return [...violations, ...(includesIncomplete ? incomplete : [])].flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    { values: AXE_TAGS, includesIncomplete: isStrict },
  );
}
