import { expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { ARGUMENTS, findChromium } from './find-chromium.js';
import { Person } from './person.js';
import { freePort } from './processes.js';
import { Service } from './service.js';
import type { ThirdParty } from './third-party.js';

/** The service as people reach it: by its `BASE_URL`, each with a Chromium of their own. */
export class Chromium {
  private readonly people: Person[] = [];

  private constructor(
    readonly service: Service,
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async start(): Promise<Chromium> {
    const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
    const port = String(await freePort());
    // A name of its own, so that apps at 127.0.0.1 are other sites.
    const url = `http://localhost:${port}`;
    try {
      return new Chromium(await Service.start({ PORT: port, BASE_URL: url }), browser, url);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Somebody with a browser that knows nothing yet. @param apps where they may be sent to, past our own pages */
  async person(options: BrowserContextOptions = {}, apps: ThirdParty[] = []): Promise<Person> {
    const context = await this.browser.newContext({ baseURL: this.url, locale: 'en', ...options });
    const origins = [this.url, ...apps.map(({ origin }) => origin)];
    const person = new Person(await context.newPage(), origins);
    this.people.push(person);
    return person;
  }

  /** Closes the browsers of all people, which must have seen nothing that they should not have. */
  async leave(): Promise<void> {
    const people = this.people.splice(0);
    for (const { page } of people) await page.context().close();
    expect(people.flatMap(({ complaints }) => complaints)).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }
}
