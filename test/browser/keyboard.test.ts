import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { BrowserEnvironment } from '../support/browser-environment.js';
import { createAccount } from '../support/factories.js';
import type { BrowserPage } from '../support/browser-page.js';
import { ClientApp } from '../support/client-app.js';

const PROFILE_LABEL = 'name, username and profile picture can be seen';
const EDITS_WRITE_LABEL = 'changes to artworks and artists can be suggested for the person';

describe('With the keyboard alone a person', () => {
  let chromium: BrowserEnvironment;
  let app: ClientApp;
  let account: Account;
  let person: BrowserPage;

  beforeAll(async () => {
    chromium = await BrowserEnvironment.start();
  });
  beforeEach(async () => {
    app = await ClientApp.start(chromium.server);
    account = await createAccount(chromium.server);
    person = await chromium.openPage({}, [app]);
    await person.goto(app.startAuthorization());
  });
  afterEach(async () => {
    await chromium.closePages();
    await app.stop();
  });
  afterAll(() => chromium.stop());

  const key = (name: string): Promise<void> => person.page.keyboard.press(name);

  /** Goes on to the next thing that takes the keyboard, which must show that it has it. @returns what it is */
  const tab = async (): Promise<string> => {
    await key('Tab');
    return person.page.evaluate(() => {
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
    await person.page.keyboard.type(account.username);
    await tabTo('Password');
    await person.page.keyboard.type('correct horse');
    await person.waitForNavigation(() => key('Enter'));
  };

  it('passes all there is on the page in the order in which it is read, and sees where they are', async () => {
    const stops = async (count: number): Promise<string[]> => {
      const passed: string[] = [];
      while (passed.length < count) passed.push(await tab());
      return passed;
    };
    expect(await stops(8)).toEqual([
      'Skip to the content',
      'Street art map',
      'Sign in',
      'Sign up',
      'Username or e-mail',
      'Password',
      'Sign in',
      'Create an account',
    ]);
    await person.page.reload();
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

  it('skips to what the page is about', async () => {
    await tabTo('Skip to the content');
    await key('Enter');
    expect(await tab()).toBe('Username or e-mail');
  });

  it('signs in, leaves something out, and allows the rest', async () => {
    await signIn();
    await tabTo(EDITS_WRITE_LABEL);
    await key('Space');
    await tabTo('Allow');
    await person.waitForNavigation(() => key('Enter'));
    expect((await app.exchangeCode()).body.scope).toBe('openid profile markers:read');
  });

  it('signs in by the button, and denies', async () => {
    await tabTo('Username or e-mail');
    await person.page.keyboard.type(account.username);
    await tabTo('Password');
    await person.page.keyboard.type('correct horse');
    await tabTo('Sign in');
    await person.waitForNavigation(() => key('Space'));
    await tabTo('Deny');
    await person.waitForNavigation(() => key('Space'));
    expect(app.receivedCallbacks).toEqual([expect.objectContaining({ error: 'access_denied' })]);
  });

  it('allows nothing by pressing Enter on a box', async () => {
    await signIn();
    await tabTo(EDITS_WRITE_LABEL);
    await key('Enter');
    await key('Space');
    expect(await person.checkbox(EDITS_WRITE_LABEL).isChecked()).toBe(false);
    await tabTo('Deny');
    await person.waitForNavigation(() => key('Enter'));
    expect(app.receivedCallbacks).toEqual([expect.objectContaining({ error: 'access_denied' })]);
  });
});

const MARKERS_READ_LABEL = 'artworks and other places on the map can be searched and looked up';
