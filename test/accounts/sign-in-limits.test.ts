import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const CORRECT_PASSWORD = 'correct horse';

/** The accounts whose passwords the tests guess. Their hashes have the lowest cost. */
const GUESSED_ACCOUNT_COUNT = 210;

describe('The limit of failed sign-ins from one network', () => {
  let server: TestServer;
  let guessed: Account[];
  let account: Account;
  let networkCount = 0;
  /** An IPv4 address, and the first 32 bits of IPv6 addresses, that no other test uses. */
  let address: string;
  let ipv6: string;

  beforeAll(async () => {
    server = await TestServer.start({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    guessed = [];
    for (let count = 0; count < GUESSED_ACCOUNT_COUNT; count++) guessed.push(await createAccount(server));
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    account = await createAccount(server);
    networkCount++;
    [address, ipv6] = [`192.0.2.${networkCount}`, `2001:${networkCount}`];
    advanceClock(0); // stops the clock
  });
  afterEach(restoreClock);

  const openBrowser = (from: string): BrowserClient => new BrowserClient(server, { 'X-Forwarded-For': from });
  const attempt = (
    from: string,
    { username }: Pick<Account, 'username'>,
    password: string,
    browser = openBrowser(from),
  ): Promise<PageResponse> => browser.post('/sign-in', { username, password }, { 'X-Forwarded-For': from });
  /** Guesses the password of other accounts. @param toAddress the address of each guess */
  const guess = async (count: number, toAddress: (index: number) => string = () => address): Promise<void> => {
    for (let index = 0; index < count; index++) {
      expect((await attempt(toAddress(index), guessed[index]!, 'wrong')).status).toBe(422);
    }
  };
  const signIn = async (from: string, browser?: BrowserClient): Promise<number> =>
    (await attempt(from, account, CORRECT_PASSWORD, browser)).status;

  it('is 20 failures in 10 minutes for an IPv4 address, and does not affect its neighbors', async () => {
    await guess(20);
    const { status, html, headers } = await attempt(address, account, CORRECT_PASSWORD);
    expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 429, wait: '600' });
    expect(html).toContain('Try again in 10 minutes.');
    expect(await signIn('198.51.100.1')).toBe(303);
    advanceClock(600 * SECOND_MS);
    expect(await signIn(address)).toBe(303);
  });

  it('counts guesses of unknown names alike', async () => {
    await guess(19);
    expect((await attempt(address, { username: 'no-such-name' }, 'wrong')).status).toBe(422);
    expect((await attempt(address, { username: 'no-such-name' }, 'wrong')).status).toBe(429);
    expect(await signIn(address)).toBe(429);
  });

  it.each([
    { size: '/64', limit: 20, toSubnet: () => '0:0', inside: '0:0', outside: '0:1' },
    { size: '/56', limit: 60, toSubnet: (index: number) => `0:${index % 6}`, inside: '0:ff', outside: '0:100' },
    { size: '/48', limit: 200, toSubnet: (index: number) => `0:${index % 20}00`, inside: '0:ffff', outside: '1:0' },
  ])('is $limit failures for a $size of IPv6', async ({ limit, toSubnet, inside, outside }) => {
    await guess(limit, (index) => `${ipv6}:${toSubnet(index)}::${index + 1}`);
    expect(await signIn(`${ipv6}:${inside}::ffff`)).toBe(429);
    expect(await signIn(`${ipv6}:${outside}::1`)).toBe(303);
  });

  it('slows 70 guesses on 14 accounts that all sign in from this network', async () => {
    const neighbors = guessed.slice(0, 14);
    for (const { username } of neighbors) {
      expect((await attempt(address, { username }, CORRECT_PASSWORD)).status).toBe(303);
    }
    const statuses: number[] = [];
    for (let round = 0; round < 5; round++) {
      for (const neighbor of neighbors) statuses.push((await attempt(address, neighbor, `wrong ${round}`)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(422));
    expect(statuses.slice(20)).toEqual(Array<number>(50).fill(429));
  });

  it('counts parallel guesses one by one', async () => {
    const responses = await Promise.all(guessed.slice(0, 24).map((other) => attempt(address, other, 'wrong')));
    const count = (expected: number): number => responses.filter(({ status }) => status === expected).length;
    expect({ wrong: count(422), throttled: count(429) }).toEqual({ wrong: 20, throttled: 4 });
  });

  it('counts no correct sign-in, and forgets no failure after one', async () => {
    await guess(19);
    for (const other of guessed.slice(20, 50)) {
      expect((await attempt(address, other, CORRECT_PASSWORD)).status).toBe(303);
    }
    expect((await attempt(address, guessed[50]!, 'wrong')).status).toBe(422);
    expect(await signIn(address)).toBe(429);
  });

  it('does not apply to a browser in which the account signed in before', async () => {
    const browser = openBrowser('198.51.100.2');
    expect(await signIn('198.51.100.2', browser)).toBe(303);
    await guess(20);
    expect(await signIn(address, browser)).toBe(303);
    const { status } = await attempt(address, guessed[60]!, CORRECT_PASSWORD, browser);
    expect(status).toBe(429);
  });

  it('responds alike for names that signed in from the network before and for others', async () => {
    const neighbors = guessed.slice(61, 75);
    for (const neighbor of neighbors) {
      expect((await attempt(address, neighbor, CORRECT_PASSWORD)).status).toBe(303);
    }
    const statuses: number[] = [];
    for (let round = 0; round < 5; round++) {
      for (const neighbor of neighbors) statuses.push((await attempt(address, neighbor, 'wrong')).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(422), ...Array<number>(50).fill(429)]);
    const responses = await Promise.all(
      [neighbors[0]!, guessed[80]!, { username: 'no-such-name' }].map((name) => attempt(address, name, 'wrong')),
    );
    expect(responses.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array<[number, string]>(3).fill([429, '600']),
    );
  });

  it('counts correct sign-ins of an account after the first 30, except in a known browser', async () => {
    const browser = openBrowser(address);
    expect(await signIn(address, browser)).toBe(303);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) statuses.push(await signIn(`${ipv6}:${count}::1`));
    expect(statuses).toEqual(Array<number>(40).fill(303));
    const slowed: number[] = [];
    for (let count = 0; count < 6; count++) slowed.push(await signIn(address));
    expect(slowed).toContain(429);
    expect(await signIn(address, browser)).toBe(303);
    expect((await attempt(address, guessed[81]!, CORRECT_PASSWORD)).status).toBe(303);
    advanceClock(3601 * SECOND_MS);
    expect(await signIn(address)).toBe(303);
  });

  it('does not count the failures of a known browser against others', async () => {
    const browser = openBrowser(address);
    expect(await signIn(address, browser)).toBe(303);
    for (let wrong = 0; wrong < 20; wrong++) {
      expect((await attempt(address, account, 'wrong', browser)).status).toBe(422);
      advanceClock(61 * SECOND_MS);
    }
    await guess(20);
  });

  it('never keeps a person out because of guesses for the same name from other networks', async () => {
    for (let wrong = 0; wrong < 60; wrong++) await attempt(`${ipv6}:${wrong}::1`, account, 'wrong');
    for (const wrong of ['wrong', 'wrong']) expect((await attempt(address, account, wrong)).status).toBe(422);
    expect((await attempt(address, account, 'wrong')).headers.get('retry-after')).toBe('1');
    expect(await signIn('198.51.100.3')).toBe(303);
  });

  it('delays a name for the network of the guesses only', async () => {
    for (let wrong = 0; wrong < 6; wrong++) await attempt(address, account, 'wrong');
    expect(await signIn(address)).toBe(429);
    expect(await signIn('198.51.100.4')).toBe(303);
  });

  it('is disabled by RATE_LIMITS=off', async () => {
    const unlimited = await TestServer.start();
    const { username } = await createAccount(unlimited);
    const browser = new BrowserClient(unlimited);
    for (let wrong = 0; wrong < 25; wrong++) {
      expect((await browser.post('/sign-in', { username, password: 'wrong' })).status).toBe(422);
    }
    await unlimited.stop();
  });
});
