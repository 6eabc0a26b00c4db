import { beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserScenario } from '../support/browser-scenario.js';

const PROFILE_LABEL = 'Your name, username and profile picture can be seen';
const EDITS_WRITE_LABEL = 'Changes to artworks and artists can be suggested for you';

describe('Keyboard navigation', () => {
  const scenario = BrowserScenario.use();

  beforeEach(() => scenario.browser.goto(scenario.app.startAuthorization()));

  const key = (name: string): Promise<void> => scenario.browser.page.keyboard.press(name);

  /**
   * Moves the focus with Tab.
   * @returns the text of the focused element, with a note if its focus is invisible
   */
  const tab = async (): Promise<string> => {
    await key('Tab');
    return scenario.browser.page.evaluate(() => {
      const focused = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> };
      const { outlineStyle, outlineWidth } = getComputedStyle(focused);
      const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      return `${(focused.labels?.[0] ?? focused).textContent.trim()}${isSeen ? '' : ' (unseen)'}`;
    });
  };
  const tabTo = async (what: string): Promise<void> => {
    const passed: string[] = [];
    while (passed.at(-1) !== what) {
      passed.push(await tab());
      if (passed.length > 30) throw new Error(`There is no ${what} among ${passed.join(', ')}.`);
    }
  };
  const signIn = async (): Promise<void> => {
    await tabTo('Username or e-mail');
    await scenario.browser.page.keyboard.type(scenario.account.username);
    await tabTo('Password');
    await scenario.browser.page.keyboard.type('correct horse');
    await scenario.browser.waitForNavigation(() => key('Enter'));
  };

  it('reaches all controls in reading order with a visible focus', async () => {
    const stops = async (count: number): Promise<string[]> => {
      const passed: string[] = [];
      while (passed.length < count) passed.push(await tab());
      return passed;
    };
    expect(await stops(11)).toEqual([
      'Skip to the content',
      'Street art map',
      'Sign in',
      'Sign up',
      'Username or e-mail',
      'Password',
      'Show password',
      'Sign in',
      'Forgot your password?',
      'Sign in with a passkey',
      'Create an account',
    ]);
    await scenario.browser.page.reload();
    await signIn();
    expect(await stops(7)).toEqual([
      'Skip to the content',
      'Street art map',
      'Use another account',
      PROFILE_LABEL,
      MARKERS_READ_LABEL,
      EDITS_WRITE_LABEL,
      'Allow',
    ]);
    expect(await tab()).toBe('Deny');
  });

  it('skips to the content', async () => {
    await tabTo('Skip to the content');
    await key('Enter');
    expect(await tab()).toBe('Username or e-mail');
  });

  it('signs in, unchecks a scope, and allows the others', async () => {
    await signIn();
    await tabTo(EDITS_WRITE_LABEL);
    await key('Space');
    await tabTo('Allow');
    await scenario.browser.waitForNavigation(() => key('Enter'));
    expect((await scenario.app.exchangeCode()).body.scope).toBe('openid profile markers:read');
  });

  it('signs in with the button, and denies', async () => {
    await tabTo('Username or e-mail');
    await scenario.browser.page.keyboard.type(scenario.account.username);
    await tabTo('Password');
    await scenario.browser.page.keyboard.type('correct horse');
    await tabTo('Sign in');
    await scenario.browser.waitForNavigation(() => key('Space'));
    await tabTo('Deny');
    await scenario.browser.waitForNavigation(() => key('Space'));
    expect(scenario.app.receivedCallbacks).toEqual([expect.objectContaining({ error: 'access_denied' })]);
  });

  it('does not submit the form with Enter on a checkbox', async () => {
    await signIn();
    await tabTo(EDITS_WRITE_LABEL);
    await key('Enter');
    await key('Space');
    expect(await scenario.browser.checkbox(EDITS_WRITE_LABEL).isChecked()).toBe(false);
    await tabTo('Deny');
    await scenario.browser.waitForNavigation(() => key('Enter'));
    expect(scenario.app.receivedCallbacks).toEqual([expect.objectContaining({ error: 'access_denied' })]);
  });
});

const MARKERS_READ_LABEL = 'Artworks and other places on the map can be searched and looked up';
