import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns the violations of axe, each with its element.
 * @param isStrict whether to include checks that axe cannot decide
 */
export async function findAxeViolations(page: Page, isStrict = true): Promise<string[]> {
  // By default axe opens another window for frames; the pages have none.
  const { violations, incomplete } = await new AxeBuilder({ page }).withTags(AXE_TAGS).setLegacyMode().analyze();
  return [...violations, ...(isStrict ? incomplete : [])].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
