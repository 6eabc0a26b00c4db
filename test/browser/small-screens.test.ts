import { describe, it } from '@jest/globals';
import { expectNoOverflow } from '../support/overflow.js';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

describe('Pages in German, also with text of twice the size', () => {
  const context = usePageStates();

  it.each(Object.entries(PAGE_STATES))('do not scroll horizontally: %s', async (_, open) => {
    const page = await context.environment.openPage({ locale: 'de' }, [context.detailedApp]);
    await open(page, context);
    await expectNoOverflow(page.page, 'de');
  });
});
