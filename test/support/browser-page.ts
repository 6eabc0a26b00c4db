import type { Locator, Page, Request } from 'playwright-core';
import type { Account } from '../../src/identity/accounts/account.entity.js';

type AriaRole = Parameters<Page['getByRole']>[0];

/** The console message of Chromium for every response with a 4xx status. */
const CONSOLE_4XX_PATTERN = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** The pages that run each script. */
const PAGES_BY_SCRIPT: Record<string, string[]> = {
  '/assets/passkeys.js': ['/sign-in', '/sign-in/passkey', '/account/passkeys', '/account/passkeys/remove'],
  '/assets/form-post.js': ['/consent', '/api/oauth/authorize', '/sign-in'],
};

/** The Content-Security-Policy says which pages can run them. */
const SCRIPTS_OF_ANY_PAGE = /^\/(docs\/assets\/|assets\/enhance\.js$)/;

/** A page in Chromium; finds elements by their accessible names. */
export class BrowserPage {
  /** Console errors, scripts, and requests to origins that are not allowed. */
  readonly violations: string[] = [];

  /** @param origins the allowed origins: the server's first, then those of apps */
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
      const { pathname } = new URL(request.url());
      const isAllowed =
        SCRIPTS_OF_ANY_PAGE.test(pathname) || PAGES_BY_SCRIPT[pathname]?.includes(new URL(page.url()).pathname);
      if (request.resourceType() === 'script' && !isAllowed) this.violations.push(`ran ${request.url()}`);
    });
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(path);
  }

  button(name: string): Locator {
    return this.getByExactName('button', name);
  }

  /** Clicks a button and waits for the next page. */
  async clickButton(name: string): Promise<void> {
    await this.waitForNavigation(() => this.button(name).click());
  }

  async clickLink(link: string): Promise<void> {
    await this.waitForNavigation(() => this.getByExactName('link', link).click());
  }

  /** Performs an action and waits for the page that it leads to. */
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

  /** Returns the text of the main element. */
  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  /** The path of the page, without its query. */
  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  private getByExactName(role: AriaRole, name: string): Locator {
    return this.page.getByRole(role, { name, exact: true });
  }
}
