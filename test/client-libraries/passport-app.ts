import express, { type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Passport } from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import type { TestApp } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';

/** What the site learns of who signs in. */
export interface User {
  accessToken: string;
  refreshToken: string;
  results: Record<string, string>;
  profile: Record<string, unknown>;
}

/** What comes of an answer at the site: somebody signs in, or passport says why nobody does. */
export interface CallbackResult {
  user?: User;
  failure?: { message: string };
  error?: { name: string; code: string; message: string };
}

/** passport-oauth2 as it is extended for a service: where things are, what to ask for, who the person is. */
export class MapStrategy extends OAuth2Strategy {
  constructor(
    private readonly server: TestServer,
    { credentials: { client_id: clientID, client_secret } }: TestApp,
    byBasic = false,
  ) {
    const basic = Buffer.from(`${clientID}:${client_secret}`).toString('base64');
    super(
      {
        authorizationURL: `${server.url}/api/oauth/authorize`,
        tokenURL: `${server.url}/api/oauth/token`,
        clientID,
        clientSecret: byBasic ? '' : client_secret,
        ...(byBasic && { customHeaders: { Authorization: `Basic ${basic}` } }),
        callbackURL: '/callback',
        scope: ['openid', 'profile', 'markers:read'],
        state: true,
        pkce: true,
      },
      (accessToken: string, refreshToken: string, results: User['results'], profile: User['profile'], done) =>
        done(null, { accessToken, refreshToken, results, profile } satisfies User),
    );
    this._oauth2.useAuthorizationHeaderforGET(true);
  }

  override authorizationParams({ prompt }: { prompt?: string }): object {
    return { ...(prompt && { prompt }) };
  }

  override userProfile(accessToken: string, done: (error?: unknown, profile?: unknown) => void): void {
    this.get('/api/oauth/userinfo', accessToken).then((profile) => done(null, profile), done);
  }

  /** Calls the service's API as the app. @returns what it answers */
  get(path: string, accessToken: string): Promise<unknown> {
    return new Promise((done, failed) => {
      this._oauth2.get(this.server.url + path, accessToken, (error, text) =>
        error ? failed(this.toError(error)) : done(JSON.parse(String(text))),
      );
    });
  }

  /** A new pair of tokens, as passport-oauth2 leaves it to those who extend it. */
  refreshTokens(token: string): Promise<Pick<User, 'accessToken' | 'refreshToken'>> {
    return new Promise((done, failed) => {
      this._oauth2.getOAuthAccessToken(token, { grant_type: 'refresh_token' }, (error, accessToken, refreshToken) =>
        error ? failed(this.toError(error)) : done({ accessToken: accessToken!, refreshToken: refreshToken! }),
      );
    });
  }

  private toError(error: Error | { statusCode: number; data?: unknown }): Error {
    if (error instanceof Error) return error;
    return this.parseErrorResponse(error.data, error.statusCode) ?? new Error(`Answered ${error.statusCode}.`);
  }
}

/** A website with one visitor that signs them in through passport. */
export class PassportApp {
  private constructor(
    private readonly server: Server,
    private readonly url: string,
  ) {}

  static async start(strategy: MapStrategy): Promise<PassportApp> {
    const passport = new Passport().use('map', strategy);
    const session = {};
    const authenticate = (request: Request, response: Response, next: NextFunction): void => {
      Object.assign(request, { session });
      const { prompt } = request.query;
      const options = { session: false, ...(typeof prompt === 'string' && { prompt }) };
      const answer = (error: unknown, user: unknown, failure: unknown): unknown =>
        response.json(error ? { error } : user ? { user } : { failure });
      (passport.authenticate('map', options, answer) as express.RequestHandler)(request, response, next) as void;
    };
    const server = express().get(['/login', '/callback'], authenticate).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PassportApp(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** The person wants to sign in. @returns where the site sends them */
  async startLogin(prompt?: string): Promise<URL> {
    const { status, headers } = await fetch(`${this.url}/login${prompt ? `?prompt=${prompt}` : ''}`, {
      redirect: 'manual',
    });
    if (status !== 302) throw new Error(`The site answered ${status}.`);
    return new URL(headers.get('location')!);
  }

  /** The person comes back. */
  async handleCallback(url: URL): Promise<CallbackResult> {
    return (await (await fetch(url)).json()) as CallbackResult;
  }
}
