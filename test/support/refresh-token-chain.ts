import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from './database.js';
import { createAccount, registerApp, issueTokens, type TestApp } from './factories.js';
import { type ResponseBody, TestServer } from './test-server.js';

export interface RefreshResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: ResponseBody;
}

/**
 * A response; `lost` when the request was sent without a response; `refused` when the connection
 * failed.
 */
export type RefreshOutcome = RefreshResponse | 'lost' | 'refused';

/** A chain of refresh tokens of one client, with its own keep-alive connection. */
export class RefreshTokenChain {
  /** Whether the newest token was presented without a response, so that it may be used. */
  isOutcomeUnknown = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @param usedTokens the tokens that have a successor, in order */
  constructor(
    public credentials: TestApp['credentials'],
    public currentToken: string,
    readonly usedTokens: string[] = [],
  ) {}

  /** Presents the newest token. */
  async refresh(url: string): Promise<RefreshOutcome> {
    const outcome = await this.presentToken(url, this.currentToken);
    if (outcome === 'refused') return outcome;
    this.isOutcomeUnknown = outcome === 'lost' || outcome.status === 503;
    if (outcome !== 'lost' && outcome.status === 200) {
      this.usedTokens.push(this.currentToken);
      this.currentToken = outcome.body.refresh_token;
    }
    return outcome;
  }

  /** Presents any token, and does not change the chain. */
  presentToken(url: string, refresh_token: string): Promise<RefreshOutcome> {
    const body = this.buildRequestBody(refresh_token);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    return new Promise((done) => {
      let isSent = false;
      const requests = request(`${url}/api/oauth/token`, { method: 'POST', agent: this.agent, headers });
      requests.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isSent = true));
        else isSent = true;
      });
      requests.once('response', (response) => void readResponse(response).then(done, () => done('lost')));
      requests.on('error', () => done(isSent ? 'lost' : 'refused'));
      requests.end(body);
    });
  }

  /** Builds the body of a refresh request. */
  buildRequestBody(refresh_token: string): string {
    return JSON.stringify({ grant_type: 'refresh_token', refresh_token, ...this.credentials });
  }

  /** Closes the connection. */
  close(): void {
    this.agent.destroy();
  }

  /** Returns another client with its own connection and the same tokens. */
  clone(): RefreshTokenChain {
    return new RefreshTokenChain(this.credentials, this.currentToken, [...this.usedTokens]);
  }
}

/** Issues chains to one app and one account. */
export async function issueChains(database: TestDatabase, count: number): Promise<RefreshTokenChain[]> {
  const server = await TestServer.start({ DATABASE_URL: database.url });
  const { app, credentials } = await registerApp(server);
  const account = await createAccount(server);
  const chains: RefreshTokenChain[] = [];
  for (let index = 0; index < count; index++) {
    chains.push(new RefreshTokenChain(credentials, (await issueTokens(server, { app, account })).refresh_token));
  }
  await server.stop();
  return chains;
}

/** @throws Error if the response is truncated */
async function readResponse(response: IncomingMessage): Promise<RefreshResponse> {
  const body = await text(response);
  const isJson = response.headers['content-type']?.includes('json');
  return { status: response.statusCode!, headers: response.headers, body: isJson ? JSON.parse(body) : body };
}
