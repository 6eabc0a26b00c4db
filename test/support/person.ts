import type { Locator, Page, Request } from 'playwright-core';
import type { Account } from '../../src/accounts/account.entity.js';

type Role = Parameters<Page['getByRole']>[0];

/** What Chromium itself says of every page that is not answered with 2xx. */
const OF_4XX = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Somebody at a browser, who does what can be done there by what is written on the page. */
export class Person {
  /** What went on in the browser that should not: errors, scripts, requests to elsewhere. */
  readonly complaints: string[] = [];

  /** @param origins where the person may get to: our own first, then those of apps */
  constructor(
    readonly page: Page,
    [own, ...apps]: string[],
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error' && !OF_4XX.test(message.text())) this.complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('request', (request: Request) => {
      const { origin } = new URL(request.url());
      const isApp = request.isNavigationRequest() && apps.includes(origin);
      if (origin !== own && !isApp) this.complaints.push(`asked for ${request.url()}`);
      const isReference = new URL(request.url()).pathname.startsWith('/docs/assets/');
      if (request.resourceType() === 'script' && !isReference) this.complaints.push(`ran ${request.url()}`);
    });
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  button(name: string): Locator {
    return this.named('button', name);
  }

  /** Presses a button and sees where that leads. */
  async press(name: string): Promise<void> {
    await this.arrive(() => this.button(name).click());
  }

  async follow(link: string): Promise<void> {
    await this.arrive(() => this.named('link', link).click());
  }

  /** Does what leads to another page, and sees it. */
  async arrive(act: () => Promise<void>): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), act()]);
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  box(name: string): Locator {
    return this.named('checkbox', name);
  }

  async signIn({ username }: Pick<Account, 'username'>, password = 'correct horse'): Promise<void> {
    await this.fill({ 'Username or e-mail': username, Password: password });
    await this.press('Sign in');
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

  private named(role: Role, name: string): Locator {
    return this.page.getByRole(role, { name, exact: true });
  }
}
