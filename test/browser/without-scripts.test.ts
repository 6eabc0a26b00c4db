import { describe, expect, it } from '@jest/globals';
import { usePageStates } from './page-state-context.js';
import { PAGE_STATES } from './page-states.js';

/** States that only scripts can reach. */
const SCRIPTED_STATES = ['API reference with an answer', 'passkey rejected at the sign-in'];

describe('Without scripts', () => {
  const context = usePageStates();
  const states = Object.entries(PAGE_STATES).filter(([state]) => !SCRIPTED_STATES.includes(state));

  it.each(states)('the page has a title, and no button without effect: %s', async (_, open) => {
    const browser = await context.environment.openPage({ javaScriptEnabled: false }, [context.detailedApp]);
    await open(browser, context);
    expect(await browser.page.locator('h1').innerText()).not.toBe('');
    const idle = browser.page.locator('button:visible:not([type=submit], [popovertarget])');
    expect(await idle.allInnerTexts()).toEqual([]);
    const orphans = browser.page.locator('button[type=submit]:visible:not(form *)');
    expect(await orphans.allInnerTexts()).toEqual([]);
  });
});
