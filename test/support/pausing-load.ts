import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';

/** Milliseconds of the longest pause: longer than proxies keep an idle connection. */
const MAX_PAUSE_MS = 7_000;

/** Clients of a proxy that pause after each request, so that its connections become idle. */
export class PausingLoad {
  /** The number of each kind of response, such as `POST 401 invalid_client`. */
  readonly outcomes = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[];

  constructor(
    private readonly url: string,
    clients: number,
  ) {
    this.clients = Array.from({ length: clients }, () => this.sendUntilStopped());
  }

  /** Waits for the open requests. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async sendUntilStopped(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(Math.random() * MAX_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      const outcome = await this.send(Math.random() < 0.5 ? 'GET' : 'POST');
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }

  /** Sends a request that a proxy repeats, or a refresh, which it must not repeat. */
  private send(method: 'GET' | 'POST'): Promise<string> {
    const path = method === 'GET' ? '/api/oauth/jwks' : '/api/oauth/token';
    const headers = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
    return new Promise((done) => {
      const sent = request(this.url + path, { agent: this.agent, method, headers }, (response) => {
        void buffer(response).then((body) => done(describeResponse(method, response.statusCode!, body)), done);
      });
      sent.once('error', (error: NodeJS.ErrnoException) => done(`${method} ${error.code}`));
      sent.end(method === 'POST' ? '{"grant_type":"refresh_token","refresh_token":"none","client_id":"none"}' : '');
    });
  }
}

/** nginx responds with HTML, the service with JSON. */
function describeResponse(method: string, status: number, body: Buffer): string {
  const text = body.toString();
  return `${method} ${status} ${text.startsWith('{') ? (JSON.parse(text).error ?? '') : text}`.trim();
}
