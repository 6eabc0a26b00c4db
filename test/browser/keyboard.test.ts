import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { Chromium } from '../support/chromium.js';
import { newAccount } from '../support/factories.js';
import type { Person } from '../support/person.js';
import { ThirdParty } from '../support/third-party.js';

const NAMES = 'name, username and profile picture can be seen';
const CHANGE = 'changes to artworks and artists can be suggested for the person';

describe('With the keyboard alone a person', () => {
  let chromium: Chromium;
  let app: ThirdParty;
  let account: Account;
  let person: Person;

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  beforeEach(async () => {
    app = await ThirdParty.start(chromium.service);
    account = await newAccount(chromium.service);
    person = await chromium.person({}, [app]);
    await person.open(app.ask());
  });
  afterEach(async () => {
    await chromium.leave();
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
    await person.arrive(() => key('Enter'));
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
      NAMES,
      LOOK,
      CHANGE,
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
    await tabTo(CHANGE);
    await key('Space');
    await tabTo('Allow');
    await person.arrive(() => key('Enter'));
    expect((await app.exchange()).body.scope).toBe('openid profile markers:read');
  });

  it('signs in by the button, and denies', async () => {
    await tabTo('Username or e-mail');
    await person.page.keyboard.type(account.username);
    await tabTo('Password');
    await person.page.keyboard.type('correct horse');
    await tabTo('Sign in');
    await person.arrive(() => key('Space'));
    await tabTo('Deny');
    await person.arrive(() => key('Space'));
    expect(app.told).toEqual([expect.objectContaining({ error: 'access_denied' })]);
  });

  it('allows nothing by pressing Enter on a box', async () => {
    await signIn();
    await tabTo(CHANGE);
    await key('Enter');
    await key('Space');
    expect(await person.box(CHANGE).isChecked()).toBe(false);
    await tabTo('Deny');
    await person.arrive(() => key('Enter'));
    expect(app.told).toEqual([expect.objectContaining({ error: 'access_denied' })]);
  });
});

const LOOK = 'artworks and other places on the map can be searched and looked up';
