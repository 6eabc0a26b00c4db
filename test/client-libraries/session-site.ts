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
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.url), {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
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
