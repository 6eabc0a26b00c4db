import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { createServer, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
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
 * Milliseconds from the start of a shutdown until idle connections are closed, and until all are.
 */
const IDLE_CLOSE_DELAY_MS = 100;
const SHUTDOWN_TIMEOUT_MS = 8_000;

const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** The Express adapter with timeouts, rendered JSON responses and a graceful shutdown. */
export class GracefulExpressAdapter extends ExpressAdapter {
  private isClosing = false;
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
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Sends the responses of the resource APIs to GET requests. An interceptor that maps the body
   * would take longer than the guards and the query of a small read together.
   */
  override reply(response: RenderingResponse, body: unknown, statusCode?: number): unknown {
    if (!response.renderJson || typeof body !== 'object' || body === null)
      return super.reply(response, body, statusCode) as unknown;
    if (statusCode) response.statusCode = statusCode;
    const { text } = response.renderJson(body);
    if (response.hasHeader('Content-Type')) return response.send(text);
    response.setHeader('Content-Type', JSON_CONTENT_TYPE);
    // The compression middleware writes the headers first, so that Node.js would send chunks.
    response.setHeader('Content-Length', Buffer.byteLength(text));
    const { method, headers } = response.req;
    const isPlain = method === 'GET' && headers['if-none-match'] === undefined;
    return isPlain ? response.end(text) : response.send(text);
  }

  /**
   * Makes each following response the last one of its connection, also if the client pipelines
   * requests.
   */
  override beforeClose(): void {
    this.isClosing = true;
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
   * Stops accepting connections and resolves after all open requests have a response. Idle
   * connections are closed after a delay and not at once, as node:http does, because a request may
   * be in transit. After a timeout all connections are closed.
   */
  override async close(): Promise<void> {
    if (!this.httpServer.listening) return;
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.httpServer, resolve));
    const timers = [
      // `setImmediate` runs after the pending reads
      setTimeout(() => setImmediate(() => this.closeIdleConnections()), IDLE_CLOSE_DELAY_MS),
      setTimeout(() => this.httpServer.closeAllConnections(), SHUTDOWN_TIMEOUT_MS),
    ];
    await closed;
    timers.forEach(clearTimeout);
  }

  /** Also closes connections that have sent nothing yet, which Node counts as active. */
  private closeIdleConnections(): void {
    this.httpServer.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
