import { request } from 'node:http';
import { connect } from 'node:net';

/** Milliseconds after which a request without a response counts as failed. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Sends one request on its own connection. @returns the status or the error code */
export function sendProbe(url: string, path = '/.well-known/oauth-authorization-server'): Promise<number | string> {
  return new Promise((done) => {
    const authorizationRequest = request(url + path, { agent: false, timeout: RESPONSE_TIMEOUT_MS }, (response) => {
      response.resume();
      response.once('end', () => done(response.statusCode!));
      response.once('error', (error: NodeJS.ErrnoException) => done(error.code!));
    });
    authorizationRequest.once('error', (error: NodeJS.ErrnoException) => done(error.code!));
    authorizationRequest.once('timeout', () =>
      authorizationRequest.destroy(Object.assign(new Error('No answer.'), { code: 'NO_ANSWER' })),
    );
    authorizationRequest.end();
  });
}

/** Opens and closes a connection. @returns the error code, if any */
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

/** Clients that send requests continuously, each on a new connection. */
export class ContinuousLoad {
  /** The outcome of each request so far: the status or the error code. */
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

/** A token request whose headers were received and whose body is not sent yet. */
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
    const authorizationRequest = request(`${url}/api/oauth/token`, { method: 'POST', agent: false, headers });
    const lastResponse = new Promise<number | string>((done) => {
      authorizationRequest.once('response', (response) => {
        response.resume();
        response.once('end', () => done(response.statusCode!));
      });
      authorizationRequest.once('error', (error: NodeJS.ErrnoException) => done(error.code!));
    });
    const occupant = new Promise<void>((resolve) => authorizationRequest.once('continue', resolve));
    authorizationRequest.flushHeaders();
    await occupant;
    return new PartialRequest(() => authorizationRequest.end(body), lastResponse);
  }

  /** Sends the body. @returns the status or the error code */
  complete(): Promise<number | string> {
    this.sendBody();
    return this.response;
  }
}
