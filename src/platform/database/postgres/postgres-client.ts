import { connect } from 'node:net';
import pg from 'pg';
import { assertWritable, type PrimaryLocator } from './primary-locator.js';

/** Milliseconds after which a statement is canceled. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** Milliseconds after which PostgreSQL ends a transaction whose client is frozen. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;

/** Milliseconds after which a connection whose statement was canceled is destroyed. */
const CANCEL_TIMEOUT_MS = 1_000;

const TIMEOUTS = `statement_timeout = ${STATEMENT_TIMEOUT_MS}`;
const TRANSACTION_TIMEOUTS = `idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`;

/**
 * Sets the timeouts of a transaction with its start. Behind PgBouncer in transaction mode, each
 * transaction can have another session of the server, so a setting of the session is not enough.
 */
const BEGIN_WITH_TIMEOUTS = `START TRANSACTION; SET LOCAL ${TIMEOUTS}; SET LOCAL ${TRANSACTION_TIMEOUTS}`;

/** The code of a cancel request (PostgreSQL, section "Message Formats"). */
const CANCEL_REQUEST_CODE = 80_877_102;

/** The options of a pool that concern its connections. */
export interface PostgresClientConfig extends pg.ClientConfig {
  /** Finds the host that accepts writes, if the URL asks for it. */
  locator?: PrimaryLocator | undefined;
  /** Whether statements have no time limit, for migrations. */
  isUnlimited?: boolean;
}

/**
 * A connection to PostgreSQL whose statements end in time, with and without PgBouncer. If the URL
 * has several hosts, it connects to the one that accepts writes.
 *
 * A statement that takes too long is canceled. A `COMMIT` is never canceled, because PostgreSQL
 * would confirm it before the standby has it. A connection that still does not respond is
 * destroyed, so its transaction needs no rollback.
 */
export class PostgresClient extends pg.Client {
  constructor(private readonly config: PostgresClientConfig) {
    super(config);
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null, client?: this) => void): void;
  override connect(callback?: (error: Error | null, client?: this) => void): Promise<this> | void {
    const connected = this.connectToHost();
    if (!callback) return connected;
    connected.then(
      () => callback(null, this),
      (error: Error) => callback(error),
    );
  }

  /** `pg` has eight overloads; TypeORM and the pool use a text with values and a promise. */
  override query(...args: unknown[]): never {
    const [text, ...rest] = args;
    const started = super.query.bind(this) as (...all: unknown[]) => unknown;
    if (typeof text !== 'string' || this.config.isUnlimited) return started(...args) as never;
    const result = started(text === 'START TRANSACTION' ? BEGIN_WITH_TIMEOUTS : text, ...rest);
    return (result instanceof Promise ? this.limit(text, result) : result) as never;
  }

  private async connectToHost(): Promise<this> {
    const { locator } = this.config;
    if (locator) {
      const { host, port } = await locator.find(this.config);
      [this.host, this.port] = [host, port];
    }
    try {
      await super.connect();
      return this;
    } catch (error) {
      locator?.forget();
      throw error;
    }
  }

  private async limit<T>(text: string, result: Promise<T>): Promise<T> {
    let timer = setTimeout(() => {
      if (text !== 'COMMIT') this.cancelStatement();
      timer = setTimeout(() => this.destroy(), CANCEL_TIMEOUT_MS);
    }, STATEMENT_TIMEOUT_MS);
    try {
      return await result;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a cancel request, which needs a connection of its own. PgBouncer forwards it. */
  private cancelStatement(): void {
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const message = Buffer.alloc(16);
    [message.length, CANCEL_REQUEST_CODE, processID, secretKey].forEach((part, index) => {
      message.writeInt32BE(part, 4 * index);
    });
    const socket = connect(this.port, this.host, () => socket.end(message));
    socket.on('error', () => undefined); // without the cancellation, the connection is destroyed
  }

  /** All statements of the connection fail, and the pool removes it. */
  private destroy(): void {
    this.connection.stream.destroy(new Error('Query read timeout'));
  }
}

/**
 * Prepares a new connection of a pool. Outside of transactions, the timeout of the session ends a
 * slow statement.
 * @throws Error if the server does not accept writes, and the URL asks for one that does
 */
export async function prepareConnection(
  client: pg.ClientBase,
  { locator, isUnlimited }: PostgresClientConfig,
): Promise<void> {
  if (!isUnlimited) await client.query(`SET ${TIMEOUTS}; SET ${TRANSACTION_TIMEOUTS}`);
  if (!locator) return;
  await assertWritable(client).catch((error: unknown) => {
    locator.forget();
    throw error;
  });
}
