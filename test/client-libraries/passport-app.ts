import express, { type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Passport } from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import type { TestApp } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';

/** The profile of the signed-in account. */
export interface User {
  accessToken: string;
  refreshToken: string;
  results: Record<string, string>;
  profile: Record<string, unknown>;
}

/** The result of a callback: a user, or the failure that passport reports. */
export interface CallbackResult {
  user?: User;
  failure?: { message: string };
  error?: { name: string; code: string; message: string };
}

/** A passport-oauth2 strategy with the endpoints, the scopes and the profile of the service. */
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

  /** Sends a request to the API of the service as the app. */
  get(path: string, accessToken: string): Promise<unknown> {
    return new Promise((done, failed) => {
      this._oauth2.get(this.server.url + path, accessToken, (error, text) =>
        error ? failed(this.toError(error)) : done(JSON.parse(String(text))),
      );
    });
  }

  /** Refreshes the tokens with the OAuth2 object of the strategy. */
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

/** A website that signs one user in through passport. */
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
      const lastResponse = (error: unknown, user: unknown, failure: unknown): unknown =>
        response.json(error ? { error } : user ? { user } : { failure });
      (passport.authenticate('map', options, lastResponse) as express.RequestHandler)(request, response, next) as void;
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

  /** Starts the sign-in. @returns the address that the site redirects to */
  async startLogin(prompt?: string): Promise<URL> {
    const { status, headers } = await fetch(`${this.url}/login${prompt ? `?prompt=${prompt}` : ''}`, {
      redirect: 'manual',
    });
    if (status !== 302) throw new Error(`The site answered ${status}.`);
    return new URL(headers.get('location')!);
  }

  /** Handles the callback. */
  async handleCallback(url: URL): Promise<CallbackResult> {
    return (await (await fetch(url)).json()) as CallbackResult;
  }
}
