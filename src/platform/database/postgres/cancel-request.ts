import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';

/** Milliseconds after which a connection is closed that the server does not close. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** The methods of a connection of `pg` that its public type lacks. */
interface CancelConnection extends EventEmitter {
  readonly stream: Socket;
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/** The identity of a session in cancel requests, which the public type of a client lacks. */
interface SessionKey {
  processID: number;
  secretKey: number;
}

/**
 * Asks the server to cancel the current statement of a client. The request needs a connection of
 * its own, with TLS if the client uses TLS. PgBouncer forwards it. The server closes the
 * connection: PgBouncer 1.18 crashes if the client does it first. An error is ignored, so check
 * that the statement ends.
 */
export function sendCancelRequest(client: pg.Client): void {
  const { processID, secretKey } = client as pg.Client & SessionKey;
  const connection = new pg.Connection({ ssl: client.ssl }) as unknown as CancelConnection;
  const cancel = (): void => connection.cancel(processID, secretKey);
  connection.stream.unref().setTimeout(RESPONSE_TIMEOUT_MS, () => connection.stream.destroy());
  connection.on('error', () => undefined);
  connection.once('connect', () => (client.ssl ? connection.requestSsl() : cancel()));
  connection.once('sslconnect', cancel);
  connection.connect(client.port, client.host);
}
