import type { Locator, Page, Request } from 'playwright-core';
import type { Account } from '../../src/identity/accounts/account.entity.js';

type AriaRole = Parameters<Page['getByRole']>[0];

/** What Chromium itself says of every page that is not answered with 2xx. */
const CONSOLE_4XX_PATTERN = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Somebody at a browser, who does what can be done there by what is written on the page. */
export class BrowserPage {
  /** What went on in the browser that should not: errors, scripts, requests to elsewhere. */
  readonly violations: string[] = [];

  /** @param origins where the person may get to: our own first, then those of apps */
  constructor(
    readonly page: Page,
    [own, ...apps]: string[],
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error' && !CONSOLE_4XX_PATTERN.test(message.text())) this.violations.push(message.text());
    });
    page.on('pageerror', ({ message }) => this.violations.push(message));
    page.on('request', (request: Request) => {
      const { origin } = new URL(request.url());
      const isApp = request.isNavigationRequest() && apps.includes(origin);
      if (origin !== own && !isApp) this.violations.push(`asked for ${request.url()}`);
      const isReference = new URL(request.url()).pathname.startsWith('/docs/assets/');
      if (request.resourceType() === 'script' && !isReference) this.violations.push(`ran ${request.url()}`);
    });
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(path);
  }

  button(name: string): Locator {
    return this.getByExactName('button', name);
  }

  /** Presses a button and sees where that leads. */
  async clickButton(name: string): Promise<void> {
    await this.waitForNavigation(() => this.button(name).click());
  }

  async clickLink(link: string): Promise<void> {
    await this.waitForNavigation(() => this.getByExactName('link', link).click());
  }

  /** Does what leads to another page, and sees it. */
  async waitForNavigation(act: () => Promise<void>): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), act()]);
  }

  async fillFields(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  checkbox(name: string): Locator {
    return this.getByExactName('checkbox', name);
  }

  async signIn({ username }: Pick<Account, 'username'>, password = 'correct horse'): Promise<void> {
    await this.fillFields({ 'Username or e-mail': username, Password: password });
    await this.clickButton('Sign in');
  }

  heading(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText();
  }

  /** All that the page says. */
  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  /** Where the page is, without its query. */
  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  private getByExactName(role: AriaRole, name: string): Locator {
    return this.page.getByRole(role, { name, exact: true });
  }
}
