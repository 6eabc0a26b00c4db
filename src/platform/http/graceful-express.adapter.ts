import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** Milliseconds that a request may take to come in: its head, and all of it. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Milliseconds that a connection stays open between two requests: longer than proxies keep theirs, so that they end them. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** Milliseconds, at a stop, for requests that are on their way, and for the slowest to end. */
const IDLE_CLOSE_DELAY_MS = 100;
const SHUTDOWN_TIMEOUT_MS = 8_000;

/** Express, as Nest drives it, on a server that is quick to answer and ends in order. */
export class GracefulExpressAdapter extends ExpressAdapter {
  private isClosing = false;
  private readonly sockets = new Set<Socket>();

  constructor() {
    const app = express();
    app.enable('case sensitive routing'); // before it has routes: `/API/markers` is no address of ours
    super(app);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const timeouts = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    };
    this.httpServer = createServer({ ...createServerClasses(app, () => this.isClosing), ...timeouts }, app);
    this.httpServer.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** From now on each answer is the last one of its connection, also where a client has sent several requests at once. */
  override beforeClose(): void {
    this.isClosing = true;
  }

  /**
   * Takes no more connections, and ends when what was asked on those it took has been answered. Connections on which nothing
   * comes are closed after a moment, and not at once, as node:http would: a request may be on its way. Who has not finished
   * in the end is cut off.
   */
  override async close(): Promise<void> {
    if (!this.httpServer.listening) return;
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.httpServer, resolve));
    const timers = [
      setTimeout(() => setImmediate(() => this.closeIdleConnections()), IDLE_CLOSE_DELAY_MS), // when all that came by then is read
      setTimeout(() => this.httpServer.closeAllConnections(), SHUTDOWN_TIMEOUT_MS),
    ];
    await closed;
    timers.forEach(clearTimeout);
  }

  /** Node counts a connection that has not said anything yet as busy. */
  private closeIdleConnections(): void {
    this.httpServer.closeIdleConnections();
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

/**
 * Express changes the prototype of each request and response into its own, which makes engines forget all they learnt about
 * them: half of the time of a small request. Those that are made with that prototype stay as they are.
 */
function createServerClasses(app: Express, isLast: () => boolean) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: never[]): this {
      if (isLast()) this.shouldKeepAlive = false;
      return super.writeHead(status, ...rest);
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
