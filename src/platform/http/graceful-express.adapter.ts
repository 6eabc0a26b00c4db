import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { createServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { RenderingResponse } from './rendered-json.js';

/** Milliseconds in which a client must send the headers of a request, and the whole request. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Milliseconds between two checks of these times. Node.js would check every 30 seconds. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/**
 * Milliseconds that an idle connection stays open. Proxies have shorter timeouts, so that they
 * close it first.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/**
 * Milliseconds from the start of a shutdown until idle connections are closed. The longer delay is
 * for the connections of a proxy: it exceeds the `keepalive_timeout` of the files in `deploy`.
 */
const IDLE_CLOSE_DELAY_MS = 100;
const PROXY_IDLE_CLOSE_DELAY_MS = 6_000;

/** Milliseconds that open requests have after idle connections were closed. */
const OPEN_REQUEST_TIMEOUT_MS = 8_000;

/**
 * Milliseconds of a turn of the event loop in which hardly a connection arrives, and milliseconds
 * after which a busy process no longer waits for such a turn.
 */
const SHORT_TURN_MS = 0.3;
const ACCEPT_TIMEOUT_MS = 1_000;

/**
 * Size up to which a body is sent as text, in bytes. Node.js writes a text together with the
 * headers, and encodes it again.
 */
const MAX_TEXT_BODY_BYTES = 8_192;

const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** The Express adapter with timeouts, rendered JSON responses and a graceful shutdown. */
export class GracefulExpressAdapter extends ExpressAdapter {
  private isClosing = false;
  private idleCloseDelayMs = IDLE_CLOSE_DELAY_MS;
  private connectionCount = 0;
  private readonly sockets = new Set<Socket>();

  constructor() {
    const app = express();
    // Express reads this setting at the first route: `/API/markers` must be a 404
    app.enable('case sensitive routing');
    super(app);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const timeouts = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    };
    this.httpServer = createServer(timeouts, app);
    this.endConnectionsWhileClosing(app);
    this.httpServer.on('connection', (socket: Socket) => {
      this.connectionCount++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Sends the responses of the resource APIs to GET requests. An interceptor that maps the body
   * would take longer than the guards and the query of a small read together. A page can be bytes,
   * which Nest would send as JSON.
   */
  override reply(response: RenderingResponse, body: unknown, statusCode?: number): unknown {
    if (Buffer.isBuffer(body)) return response.send(body);
    if (!response.renderJson || typeof body !== 'object' || body === null)
      return super.reply(response, body, statusCode) as unknown;
    if (statusCode) response.statusCode = statusCode;
    const rendered = response.renderJson(body);
    if (response.hasHeader('Content-Type')) return response.send(rendered.text);
    const { bytes } = rendered;
    response.setHeader('Content-Type', JSON_CONTENT_TYPE);
    // The compression middleware writes the headers first, so that Node.js would send chunks.
    response.setHeader('Content-Length', bytes.length);
    const { method, headers } = response.req;
    const content = bytes.length > MAX_TEXT_BODY_BYTES ? bytes : rendered.text;
    const isPlain = method === 'GET' && headers['if-none-match'] === undefined;
    return isPlain ? response.end(content) : response.send(content);
  }

  /**
   * Makes a shutdown keep idle connections for as long as a proxy can send requests on them, unless
   * it has begun. A shutdown without such connections takes no longer.
   */
  keepConnectionsOfProxies(): void {
    if (!this.isClosing) this.idleCloseDelayMs = PROXY_IDLE_CLOSE_DELAY_MS;
  }

  /**
   * Stops accepting connections and resolves after all open requests have a response. Each response
   * is the last one of its connection, also if the client pipelines requests. Idle connections are
   * closed after a delay and not at once, as node:http does, because a request may be in transit.
   * After a timeout all connections are closed. The shutdown hooks run after this.
   */
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- Nest awaits the result.
  override async beforeClose(): Promise<void> {
    this.isClosing = true;
    if (!this.httpServer.listening) return;
    await this.acceptPendingConnections();
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.httpServer, resolve));
    const timers = [
      setTimeout(() => void this.closeIdleConnections(), this.idleCloseDelayMs),
      setTimeout(() => this.httpServer.closeAllConnections(), this.idleCloseDelayMs + OPEN_REQUEST_TIMEOUT_MS),
    ];
    await closed;
    timers.forEach(clearTimeout);
  }

  /**
   * Accepts the connections that wait in the kernel, because it resets them when the listener is
   * closed. Node.js accepts one in each turn of the event loop. Returns after a short turn without
   * a new connection. It does not count the first turn: in it, Node.js had asked the kernel before
   * the signal arrived.
   */
  private async acceptPendingConnections(): Promise<void> {
    const deadline = performance.now() + ACCEPT_TIMEOUT_MS;
    await setImmediate();
    for (;;) {
      const [count, startedAt] = [this.connectionCount, performance.now()];
      await setImmediate();
      const now = performance.now();
      if (now > deadline || (this.connectionCount === count && now - startedAt < SHORT_TURN_MS)) return;
    }
  }

  /** Sets the header `Connection: close` of each response that is sent while the server closes. */
  private endConnectionsWhileClosing({ response }: Express): void {
    const isClosing = (): boolean => this.isClosing;
    response.writeHead = function (this: ServerResponse, ...args: [number]) {
      if (isClosing()) this.shouldKeepAlive = false;
      return ServerResponse.prototype.writeHead.apply(this, args);
    } as typeof response.writeHead;
  }

  /**
   * Runs after the pending reads. Also closes connections that have sent nothing yet, which Node
   * counts as active.
   */
  private async closeIdleConnections(): Promise<void> {
    await setImmediate();
    this.httpServer.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
