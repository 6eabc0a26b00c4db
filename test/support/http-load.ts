import { request } from 'node:http';
import { connect } from 'node:net';

/** Milliseconds after which a request that nobody answers counts as failed. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** One request on a connection of its own. @returns its status, or the code of what went wrong */
export function sendProbe(url: string, path = '/.well-known/oauth-authorization-server'): Promise<number | string> {
  return new Promise((done) => {
    const asked = request(url + path, { agent: false, timeout: RESPONSE_TIMEOUT_MS }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode!));
      response.once('error', (error: NodeJS.ErrnoException) => done(error.code!));
    });
    asked.once('error', (error: NodeJS.ErrnoException) => done(error.code!));
    asked.once('timeout', () => asked.destroy(Object.assign(new Error('No answer.'), { code: 'NO_ANSWER' })));
    asked.end();
  });
}

/** Opens a connection and closes it. @returns the code of what went wrong, if anything did */
export function tryConnect(url: string): Promise<string | undefined> {
  return new Promise((done) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      done(undefined);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code));
  });
}

/** Callers that ask again and again, each on a new connection as soon as it has its answer. */
export class ContinuousLoad {
  /** What came of each request so far: a status, or the code of what went wrong. */
  readonly outcomes: (number | string)[] = [];
  private isStopped = false;
  private readonly requestLoops: Promise<void>[];

  constructor(
    private readonly url: string,
    callers: number,
  ) {
    this.requestLoops = Array.from({ length: callers }, () => this.sendUntilStopped());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.requestLoops);
  }

  private async sendUntilStopped(): Promise<void> {
    while (!this.isStopped) this.outcomes.push(await sendProbe(this.url));
  }
}

/** A request to the token endpoint whose headers the service has taken, and whose body is still to come. */
export class PartialRequest {
  private constructor(
    private readonly sendBody: () => void,
    private readonly response: Promise<number | string>,
  ) {}

  static async open(url: string): Promise<PartialRequest> {
    const body = JSON.stringify({ grant_type: 'refresh_token', refresh_token: 'none', client_id: 'none' });
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      Expect: '100-continue',
    };
    const asked = request(`${url}/api/oauth/token`, { method: 'POST', agent: false, headers });
    const answer = new Promise<number | string>((done) => {
      asked.once('response', (response) => {
        response.resume();
        response.once('end', () => done(response.statusCode!));
      });
      asked.once('error', (error: NodeJS.ErrnoException) => done(error.code!));
    });
    const taken = new Promise<void>((resolve) => asked.once('continue', resolve));
    asked.flushHeaders();
    await taken;
    return new PartialRequest(() => asked.end(body), answer);
  }

  /** Sends the body. @returns the status of the answer, or the code of what went wrong */
  complete(): Promise<number | string> {
    this.sendBody();
    return this.response;
  }
}
