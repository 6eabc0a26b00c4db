import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from './launch-chromium.js';
import { BrowserPage } from './browser-page.js';
import { findFreePort } from './free-port.js';
import { TestServer } from './test-server.js';
import type { ClientApp } from './client-app.js';

/** A server that listens at its `BASE_URL`, and Chromium. */
export class BrowserEnvironment {
  private readonly pages: BrowserPage[] = [];

  private constructor(
    readonly server: TestServer,
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<BrowserEnvironment> {
    const browser = await launchChromium();
    const port = String(await findFreePort());
    // The server has another host name than the apps at 127.0.0.1, so that they are other sites.
    const url = `http://localhost:${port}`;
    try {
      return new BrowserEnvironment(await TestServer.start({ PORT: port, BASE_URL: url, ...settings }), browser, url);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Opens a page in a new browser context. @param apps the apps that the page may navigate to */
  async openPage(options: BrowserContextOptions = {}, apps: ClientApp[] = []): Promise<BrowserPage> {
    const context = await this.browser.newContext({ baseURL: this.url, locale: 'en', ...options });
    const origins = [this.url, ...apps.map(({ origin }) => origin)];
    const page = new BrowserPage(await context.newPage(), origins);
    this.pages.push(page);
    return page;
  }

  /** Closes all pages; none may have a violation. */
  async closePages(): Promise<void> {
    const pages = this.pages.splice(0);
    for (const { page } of pages) await page.context().close();
    expect(pages.flatMap(({ violations }) => violations)).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close().finally(() => this.server.stop());
  }
}
