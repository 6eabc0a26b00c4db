import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, setClock } from '../support/fake-clock.js';
import { TestServer } from '../support/test-server.js';

const SIGNED_IN_AT = Date.UTC(2027, 4, 3, 9, 5);
const MINUTE_MS = 60_000;

describe('Dates on pages', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterEach(() => restoreClock());
  afterAll(() => server.stop());

  /** Returns the `time` elements of a page that shows a sign-in of some time ago. */
  const readTimes = async (acceptLanguage: string, ageMs = 10 * DAY_MS): Promise<string[]> => {
    setClock(SIGNED_IN_AT);
    const browser = new BrowserClient(server, { 'Accept-Language': acceptLanguage });
    await browser.signIn(await createAccount(server));
    advanceClock(ageMs);
    const { html } = await browser.get('/account/sessions');
    const times = [...html.matchAll(/<time[^>]*>[^<]*<\/time>/g)].map(([element]) => element);
    return times.filter((element) => element.includes(new Date(SIGNED_IN_AT).toISOString()));
  };

  it.each([
    ['en-GB', '3 May 2027', '3 May 2027 at 09:05 UTC'],
    ['en-US', 'May 3, 2027', 'May 3, 2027 at 9:05 AM UTC'],
    ['en', 'May 3, 2027', 'May 3, 2027 at 9:05 AM UTC'],
    ['de-AT', '3. Mai 2027', '3. Mai 2027 um 09:05 UTC'],
    ['fr-CA', '3 mai 2027', '3 mai 2027 à 09 h 05 UTC'],
    ['es-MX', '3 de mayo de 2027', '3 de mayo de 2027 a las 9:05 a.m. UTC'],
    ['pt-PT', '3 de maio de 2027', '3 de maio de 2027 às 09:05 UTC'],
    ['de, en-GB;q=0.9', '3. Mai 2027', '3. Mai 2027 um 09:05 UTC'],
    ['x_y, en-GB', '3 May 2027', '3 May 2027 at 09:05 UTC'],
  ])('follow the language and region of %s, with the exact time', async (acceptLanguage, text, title) => {
    const [time] = await readTimes(acceptLanguage);
    expect(time!.replaceAll(/[\u202f\u00a0]/g, ' ')).toBe(
      `<time datetime="2027-05-03T09:05:00.000Z" title="${title}">${text}</time>`,
    );
  });

  it.each([
    [0, 'now'],
    [59 * 1000, 'now'],
    [MINUTE_MS, '1 minute ago'],
    [59 * MINUTE_MS, '59 minutes ago'],
    [60 * MINUTE_MS, '1 hour ago'],
    [DAY_MS - MINUTE_MS, '23 hours ago'],
    [DAY_MS, 'yesterday'],
    [7 * DAY_MS - MINUTE_MS, '6 days ago'],
    [7 * DAY_MS, 'May 3, 2027'],
  ])('of %d ms ago are shown as %j', async (ageMs, text) => {
    const [time] = await readTimes('en-US', ageMs);
    expect(time).toContain(`>${text}</time>`);
  });

  it('of the last week are relative in the language of the reader', async () => {
    const [time] = await readTimes('pt-BR', DAY_MS);
    expect(time).toContain('>ontem</time>');
  });
});
