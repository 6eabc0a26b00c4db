import { expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from './find-chromium.js';
import { BrowserPage } from './browser-page.js';
import { findFreePort } from './server-process.js';
import { TestServer } from './test-server.js';
import type { ClientApp } from './client-app.js';

/** The service as people reach it: by its `BASE_URL`, each with a Chromium of their own. */
export class BrowserEnvironment {
  private readonly pages: BrowserPage[] = [];

  private constructor(
    readonly server: TestServer,
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async start(): Promise<BrowserEnvironment> {
    const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
    const port = String(await findFreePort());
    // A name of its own, so that apps at 127.0.0.1 are other sites.
    const url = `http://localhost:${port}`;
    try {
      return new BrowserEnvironment(await TestServer.start({ PORT: port, BASE_URL: url }), browser, url);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Somebody with a browser that knows nothing yet. @param apps where they may be sent to, past our own pages */
  async openPage(options: BrowserContextOptions = {}, apps: ClientApp[] = []): Promise<BrowserPage> {
    const context = await this.browser.newContext({ baseURL: this.url, locale: 'en', ...options });
    const origins = [this.url, ...apps.map(({ origin }) => origin)];
    const person = new BrowserPage(await context.newPage(), origins);
    this.pages.push(person);
    return person;
  }

  /** Closes the browsers of all people, which must have seen nothing that they should not have. */
  async closePages(): Promise<void> {
    const people = this.pages.splice(0);
    for (const { page } of people) await page.context().close();
    expect(people.flatMap(({ violations }) => violations)).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
  }
}
