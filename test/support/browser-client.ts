import { expect } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { TestServer } from './test-server.js';

/** A response as a browser receives it. */
export interface PageResponse {
  status: number;
  headers: Headers;
  html: string;
  /** The Location header, if any. */
  location: string | null;
}

/** A browser without scripts: it stores cookies, and does not follow redirects. */
export class BrowserClient {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly server: Pick<TestServer, 'url'>,
    /** The headers of every request. */
    private readonly headers: Record<string, string> = {},
  ) {}

  async get(path: string): Promise<PageResponse> {
    return this.send(path, {});
  }

  async post(
    path: string,
    form: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<PageResponse> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(form)) for (const value of [values].flat()) body.append(name, value);
    return this.send(path, { method: 'POST', body, headers });
  }

  /** Posts a form in this encoding. */
  async postText(path: string, body: string): Promise<PageResponse> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send(path, { method: 'POST', body, headers });
  }

  /** Posts a multipart form. An empty file stands for a file field without a file. */
  async postMultipart(
    path: string,
    form: Record<string, string | Blob>,
    headers: Record<string, string> = {},
  ): Promise<PageResponse> {
    const body = new FormData();
    for (const [name, value] of Object.entries(form)) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, value.size === 0 ? '' : 'picture');
    }
    return this.send(path, { method: 'POST', body, headers });
  }

  /** Submits a form of the page with its initial values and these fields. */
  async submitForm(
    page: PageResponse,
    action: string,
    fields: Record<string, string | string[]> = {},
  ): Promise<PageResponse> {
    const { address, values } = parseForm(page, action);
    return this.post(address, { ...values, ...fields });
  }

  /** Opens the page to which a response redirects. Returns any other response as it is. */
  async follow(response: PageResponse): Promise<PageResponse> {
    return response.status === 303 ? this.get(new URL(response.location!, this.server.url).pathname) : response;
  }

  async signIn(
    { username }: Pick<Account, 'username'>,
    password = 'correct horse',
    path = '/sign-in',
  ): Promise<PageResponse> {
    const response = await this.submitForm(await this.get(path), '/sign-in', { username, password });
    expect(response.status).toBe(303);
    return response;
  }

  /** Returns the value of a cookie. */
  getCookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  clearCookies(): void {
    this.cookies.clear();
  }

  private async send(path: string, init: RequestInit): Promise<PageResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.server.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...this.headers, ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) this.storeCookie(line);
    const { status, headers } = response;
    return { status, headers, html: await response.text(), location: headers.get('location') };
  }

  private storeCookie(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Parses the form of a page that posts to an action. @returns its address and initial values */
export function parseForm(
  page: PageResponse,
  action: string,
): { address: string; values: Record<string, string | string[]> } {
  const forms = [...page.html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const form = forms.find(([, address]) => unescapeHtml(address!).split('?')[0] === action);
  expect({ action, forms: form ? [] : forms.map(([, address]) => address) }).toEqual({ action, forms: [] });
  const values: Record<string, string[]> = {};
  for (const [input] of form![2]!.matchAll(/<input[^>]*>/g)) {
    const name = parseAttribute(input, 'name')!;
    const isLeftOut = / disabled/.test(input) || (/type="(checkbox|radio)"/.test(input) && !/ checked/.test(input));
    if (!isLeftOut) (values[name] ??= []).push(parseAttribute(input, 'value') ?? '');
  }
  for (const [, name, text] of form![2]!.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)/g)) {
    values[name!] = [unescapeHtml(text!)];
  }
  for (const [, name, options] of form![2]!.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const [selected] = /<option[^>]* selected[^>]*>/.exec(options!)!;
    values[name!] = [parseAttribute(selected, 'value')!];
  }
  return { address: unescapeHtml(form![1]!), values };
}

function parseAttribute(input: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
}

function unescapeHtml(text: string): string {
  const characters: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };
  return text.replace(/&(\w+|#39);/g, (whole, name: string) => characters[name] ?? whole);
}
