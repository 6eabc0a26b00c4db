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

/** What became of a request: an answer; or it was sent and not answered; or nobody took the connection, so it was not sent. */
export type RefreshOutcome = RefreshResponse | 'lost' | 'refused';

/** A chain of refresh tokens as its client knows it, on a connection of its own that is kept. */
export class RefreshTokenChain {
  /** Whether the newest token was presented, and the client was not told whether it was spent. */
  isOutcomeUnknown = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @param usedTokens the tokens for which the client got another, in order */
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

  /** Presents any token, and remembers nothing of it. */
  presentToken(url: string, refresh_token: string): Promise<RefreshOutcome> {
    const body = this.buildRequestBody(refresh_token);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    return new Promise((done) => {
      let isSent = false;
      const asking = request(`${url}/api/oauth/token`, { method: 'POST', agent: this.agent, headers });
      asking.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isSent = true));
        else isSent = true;
      });
      asking.once('response', (answer) => void readResponse(answer).then(done, () => done('lost')));
      asking.on('error', () => done(isSent ? 'lost' : 'refused'));
      asking.end(body);
    });
  }

  /** The body of a request that presents a token. */
  buildRequestBody(refresh_token: string): string {
    return JSON.stringify({ grant_type: 'refresh_token', refresh_token, ...this.credentials });
  }

  /** Another client, with a connection of its own, that knows the same tokens. */
  clone(): RefreshTokenChain {
    return new RefreshTokenChain(this.credentials, this.currentToken, [...this.usedTokens]);
  }
}

/** So many chains of one app for one person. */
export async function issueChains(database: TestDatabase, count: number): Promise<RefreshTokenChain[]> {
  const server = await TestServer.start({ DATABASE_URL: database.url });
  const { app, credentials } = await registerApp(server);
  const account = await createAccount(server);
  const chains: RefreshTokenChain[] = [];
  for (let at = 0; at < count; at++) {
    chains.push(new RefreshTokenChain(credentials, (await issueTokens(server, { app, account })).refresh_token));
  }
  await server.stop();
  return chains;
}

/** @throws Error where the answer is cut short */
async function readResponse(answer: IncomingMessage): Promise<RefreshResponse> {
  const body = await text(answer);
  const isJson = answer.headers['content-type']?.includes('json');
  return { status: answer.statusCode!, headers: answer.headers, body: isJson ? JSON.parse(body) : body };
}
