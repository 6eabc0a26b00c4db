import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a request may take to come in: its head, and all of it. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;

/** Milliseconds that a connection stays open between two requests: longer than proxies keep theirs, so that they end them. */
const KEEP_ALIVE = 65_000;

/** Milliseconds, at a stop, in which those who are about to send a request still may, and in which the slowest must end. */
const GRACE = 100;
const PATIENCE = 8_000;

/** Express, as Nest drives it, on a server that is quick to answer and ends in order. */
export class ExpressServer extends ExpressAdapter {
  private isClosing = false;

  constructor() {
    const app = express();
    app.enable('case sensitive routing'); // before it has routes: `/API/markers` is no address of ours
    super(app);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const timeouts = { headersTimeout: HEADERS_TIMEOUT, requestTimeout: REQUEST_TIMEOUT, keepAliveTimeout: KEEP_ALIVE };
    this.httpServer = createServer({ ...bornForExpress(app), ...timeouts }, (request, response) => {
      if (this.isClosing) response.setHeader('Connection', 'close');
      app(request, response);
    });
  }

  /** From now on each answer is the last one of its connection. */
  override beforeClose(): void {
    this.isClosing = true;
    this.httpServer.keepAliveTimeout = GRACE;
  }

  /** Stops taking connections, once all that was sent has been answered; who does not finish sending is cut off in the end. */
  override async close(): Promise<void> {
    if (!this.httpServer.listening) return;
    await sleep(GRACE);
    const closed = new Promise((resolve) => this.httpServer.close(resolve));
    const end = setTimeout(() => this.httpServer.closeAllConnections(), PATIENCE);
    await closed;
    clearTimeout(end);
  }
}

/**
 * Express changes the prototype of each request and response into its own, which makes engines forget all they learnt about
 * them: half of the time of a small request. Those that are made with that prototype stay as they are.
 */
function bornForExpress(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
