import { expect } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import type { Service } from './service.js';

/** An answer as a browser sees it. */
export interface Seen {
  status: number;
  headers: Headers;
  html: string;
  /** Where it leads, if anywhere. */
  location: string | null;
}

/** A person with a browser that keeps cookies and runs no script; it follows a redirect only when told. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly service: Pick<Service, 'url'>,
    /** Headers that go with every request. */
    private readonly headers: Record<string, string> = {},
  ) {}

  async get(path: string): Promise<Seen> {
    return this.send(path, {});
  }

  async post(
    path: string,
    form: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<Seen> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(form)) for (const value of [values].flat()) body.append(name, value);
    return this.send(path, { method: 'POST', body, headers });
  }

  /** Fills in the page's form of this address and posts it; boxes are as they are unless given. */
  async submit(page: Seen, action: string, fields: Record<string, string | string[]> = {}): Promise<Seen> {
    const { address, values } = formOf(page, action);
    return this.post(address, { ...values, ...fields });
  }

  async signIn({ username }: Pick<Account, 'username'>, password = 'correct horse', path = '/sign-in'): Promise<Seen> {
    const answer = await this.submit(await this.get(path), '/sign-in', { username, password });
    expect(answer.status).toBe(303);
    return answer;
  }

  /** The value of a cookie that the browser keeps. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  forgetCookies(): void {
    this.cookies.clear();
  }

  private async send(path: string, init: RequestInit): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.service.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...this.headers, ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const { status, headers } = response;
    return { status, headers, html: await response.text(), location: headers.get('location') };
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** The form of a page that posts to this path, with what it holds before anybody touches it. */
export function formOf(page: Seen, action: string): { address: string; values: Record<string, string | string[]> } {
  const forms = [...page.html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const form = forms.find(([, address]) => unescape(address!).split('?')[0] === action);
  expect({ action, forms: form ? [] : forms.map(([, address]) => address) }).toEqual({ action, forms: [] });
  const values: Record<string, string[]> = {};
  for (const [input] of form![2]!.matchAll(/<input[^>]*>/g)) {
    const name = attribute(input, 'name')!;
    const isLeftOut = / disabled/.test(input) || (/type="checkbox"/.test(input) && !/ checked/.test(input));
    if (!isLeftOut) (values[name] ??= []).push(attribute(input, 'value') ?? '');
  }
  for (const [, name, text] of form![2]!.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)/g)) {
    values[name!] = [unescape(text!)];
  }
  for (const [, name, options] of form![2]!.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const [selected] = /<option[^>]* selected[^>]*>/.exec(options!)!;
    values[name!] = [attribute(selected, 'value')!];
  }
  return { address: unescape(form![1]!), values };
}

function attribute(input: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
  return value === undefined ? undefined : unescape(value);
}

function unescape(text: string): string {
  const characters: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };
  return text.replace(/&(\w+|#39);/g, (whole, name: string) => characters[name] ?? whole);
}
