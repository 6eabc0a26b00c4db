import express, { type Express } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A website whose library keeps the session of a person in cookies, and the browser on it. */
export class SessionSite {
  private readonly cookies = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param configure adds the routes of the library, which needs the address of the site */
  static async start(configure: (app: Express, url: string) => void | Promise<void>): Promise<SessionSite> {
    const app = express();
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await configure(app, url);
    return new SessionSite(server, url);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** Sends a request with the cookies of the site, and stores those of the response. */
  async send(path: string, form?: Record<string, string>): Promise<Response> {
    return this.request(path, form && { method: 'POST', body: new URLSearchParams(form) });
  }

  /** Posts a JSON document. @returns the JSON document of the response */
  async postJson(path: string, content: object): Promise<Record<string, string>> {
    const headers = { 'Content-Type': 'application/json', Origin: this.url };
    const response = await this.request(path, { method: 'POST', headers, body: JSON.stringify(content) });
    return response.json() as Promise<Record<string, string>>;
  }

  private async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(path, this.url), { ...init, redirect: 'manual', headers });
    for (const header of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(header)!;
      this.cookies.set(name!, value!);
    }
    return response;
  }

  /** Sends a request that must redirect. @returns the address */
  async follow(path: string, form?: Record<string, string>): Promise<URL> {
    const response = await this.send(path, form);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return new URL(location, this.url);
  }

  /** Requests a JSON document. */
  async readJson(path: string): Promise<unknown> {
    return (await this.send(path)).json();
  }
}
