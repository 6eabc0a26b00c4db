import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from './database.js';
import { newAccount, newApp, newTokens, type TestApp } from './factories.js';
import { type Body, Service } from './service.js';

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/** What became of a request: an answer; or it was sent and not answered; or nobody took the connection, so it was not sent. */
export type Outcome = Answered | 'lost' | 'refused';

/** A chain of refresh tokens as its client knows it, on a connection of its own that is kept. */
export class Chain {
  /** Whether the newest token was presented, and the client was not told whether it was spent. */
  isInDoubt = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @param spent the tokens for which the client got another, in order */
  constructor(
    public credentials: TestApp['credentials'],
    public newest: string,
    readonly spent: string[] = [],
  ) {}

  /** Presents the newest token. */
  async refresh(url: string): Promise<Outcome> {
    const outcome = await this.present(url, this.newest);
    if (outcome === 'refused') return outcome;
    this.isInDoubt = outcome === 'lost' || outcome.status === 503;
    if (outcome !== 'lost' && outcome.status === 200) {
      this.spent.push(this.newest);
      this.newest = outcome.body.refresh_token;
    }
    return outcome;
  }

  /** Presents any token, and remembers nothing of it. */
  present(url: string, refresh_token: string): Promise<Outcome> {
    const body = this.bodyOf(refresh_token);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    return new Promise((done) => {
      let isSent = false;
      const asking = request(`${url}/api/oauth/token`, { method: 'POST', agent: this.agent, headers });
      asking.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isSent = true));
        else isSent = true;
      });
      asking.once('response', (answer) => void read(answer).then(done, () => done('lost')));
      asking.on('error', () => done(isSent ? 'lost' : 'refused'));
      asking.end(body);
    });
  }

  /** The body of a request that presents a token. */
  bodyOf(refresh_token: string): string {
    return JSON.stringify({ grant_type: 'refresh_token', refresh_token, ...this.credentials });
  }

  /** Another client, with a connection of its own, that knows the same tokens. */
  twin(): Chain {
    return new Chain(this.credentials, this.newest, [...this.spent]);
  }
}

/** So many chains of one app for one person. */
export async function newChains(database: TestDatabase, count: number): Promise<Chain[]> {
  const service = await Service.start({ DATABASE_URL: database.url });
  const { app, credentials } = await newApp(service);
  const account = await newAccount(service);
  const chains: Chain[] = [];
  for (let at = 0; at < count; at++) {
    chains.push(new Chain(credentials, (await newTokens(service, { app, account })).refresh_token));
  }
  await service.stop();
  return chains;
}

/** @throws Error where the answer is cut short */
async function read(answer: IncomingMessage): Promise<Answered> {
  const body = await text(answer);
  const isJson = answer.headers['content-type']?.includes('json');
  return { status: answer.statusCode!, headers: answer.headers, body: isJson ? JSON.parse(body) : body };
}
