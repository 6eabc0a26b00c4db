import axe, { type RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules whose results depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const ALL_RULES: RunOnly = { type: 'tag', values: AXE_TAGS };
const COLOR_RULES_ONLY: RunOnly = { type: 'rule', values: COLOR_RULES };

/**
 * Returns the violations of axe, each with its element. The script is loaded once for each page,
 * and reports only what is wrong: a report of everything takes longer than the checks.
 * @param isStrict whether to include checks that axe cannot decide
 * @param onlyColors whether to apply only the rules of colors, to a page that met the others before
 */
export async function findAxeViolations(page: Page, { isStrict = true, onlyColors = false } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ runOnly, includesIncomplete }) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      const { violations, incomplete } = await loaded.run(document, {
        runOnly,
        resultTypes: ['violations', 'incomplete'],
      });
      return [...violations, ...(includesIncomplete ? incomplete : [])].flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    { runOnly: onlyColors ? COLOR_RULES_ONLY : ALL_RULES, includesIncomplete: isStrict },
  );
}
