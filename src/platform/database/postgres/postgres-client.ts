import pg from 'pg';
import { getTracer } from '../../tracing/tracing.js';
import { assertWritable, DatabaseConnectionError, type PrimaryLocator } from './primary-locator.js';
import { executeFirst, START_TRANSACTION } from './first-statement.js';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/**
 * Milliseconds in which the server must accept a connection. It is shorter than the time limit of
 * the pool, so that the error names the host.
 */
const CONNECT_TIMEOUT_MS = 4_500;

/** Milliseconds after which the client cancels a statement, with a request of its own. */
const CLIENT_TIMEOUT_MS = 10_000;

/**
 * Milliseconds after which PostgreSQL cancels a statement. It is shorter, so that the client only
 * cancels what PostgreSQL does not: statements behind PgBouncer outside of a transaction.
 */
const STATEMENT_TIMEOUT_MS = 9_500;

/** Milliseconds after which PostgreSQL ends a transaction whose client is frozen. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;

/** Milliseconds after which a connection whose statement was canceled is destroyed. */
const CANCEL_TIMEOUT_MS = 1_000;

/**
 * Sets the timeouts of a transaction with its start. Behind PgBouncer in transaction mode, each
 * transaction can have another session of the server, so a setting of the session is not enough.
 */
const BEGIN_WITH_TIMEOUTS = [
  START_TRANSACTION,
  `SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`,
].join('; ');

/** The options of a pool that concern its connections. */
export interface PostgresClientConfig extends pg.ClientConfig {
  /** Finds the host that accepts writes, if the URL asks for it. */
  locator?: PrimaryLocator | undefined;
  /** Whether statements have no time limit, for migrations. */
  isUnlimited?: boolean;
  /**
   * Whether the session keeps its statements with parameters, so that PostgreSQL plans them once.
   * Such a plan must fit all values of the parameters, and finds rows by an index.
   */
  preparesStatements?: boolean;
}

/** Limit of statements that a session keeps. Others are planned at each execution. */
const MAX_PREPARED_STATEMENTS = 50;

/**
 * A connection to PostgreSQL whose statements end in time, with and without PgBouncer. If the URL
 * has several hosts, it connects to the one that accepts writes.
 *
 * A statement that takes too long is canceled. A `COMMIT` is never canceled, because PostgreSQL
 * would confirm it before the standby has it. A connection that still does not respond is
 * destroyed, so its transaction needs no rollback.
 */
export class PostgresClient extends pg.Client {
  /** Whether no other client uses the session: there is no pooler in between. */
  private hasOwnSession = false;
  /** The names of the statements that the session keeps, by text. */
  private readonly statementNames = new Map<string, string>();
  /** Whether the next statement starts a transaction. */
  private isStartPending = false;

  constructor(private readonly config: PostgresClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
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

  /**
   * Prepares the connection for a pool: sets the timeouts of its session, unless the session
   * belongs to PgBouncer, which would give it to other clients with these timeouts. PgBouncer sends
   * process ids of its own. Behind it, only the client ends a slow statement outside of a
   * transaction. `jit` is off, because compilation takes longer than the statements.
   * `enable_seqscan` is off for statements that the session keeps. They find rows by key, but
   * PostgreSQL would read a small table as a whole, and keep that plan while the table grows.
   * @throws Error if the server does not accept writes, and the URL asks for one that does
   */
  async prepareSession(): Promise<void> {
    const { processID } = this as unknown as SessionKey;
    const { locator, isUnlimited, preparesStatements } = this.config;
    const settings = {
      statement_timeout: isUnlimited ? 0 : STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: isUnlimited ? 0 : IDLE_TRANSACTION_TIMEOUT_MS,
      jit: 'off',
      ...(preparesStatements && { enable_seqscan: 'off' }),
    };
    const columns = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
    const result: Promise<pg.QueryResult> = this.query(
      `SELECT ${columns.join(', ')} WHERE pg_backend_pid() = ${processID}`,
    );
    this.hasOwnSession = (await result).rowCount === 1;
    if (!locator) return;
    await assertWritable(this).catch((error: unknown) => {
      locator.forget();
      throw error;
    });
  }

  /** `pg` has eight overloads; TypeORM and the pool use a text with values and a promise. */
  override query(...args: unknown[]): never {
    const [text, values] = args;
    if (typeof text !== 'string' || this.config.isUnlimited || args.some((arg) => typeof arg === 'function')) {
      if (this.isStartPending) throw new Error('A transaction starts with a statement as a text, and a promise.');
      return this.send(...args) as never;
    }
    if (this.skip(text)) return Promise.resolve({ rows: [], rowCount: 0 }) as never;
    const result = this.limit(text, this.execute(text, (values ?? []) as unknown[]));
    return (getTracer()?.traceStatement(this.spanAttributes, text, result) ?? result) as never;
  }

  /**
   * Skips the start of a transaction, which follows with its first statement, and the end of an
   * empty one.
   * @returns whether the statement is skipped
   */
  private skip(text: string): boolean {
    if (text === START_TRANSACTION) return (this.isStartPending = this.hasOwnSession);
    if (!this.isStartPending || (text !== 'COMMIT' && text !== 'ROLLBACK')) return false;
    this.isStartPending = false;
    return true;
  }

  private execute(text: string, values: unknown[]): Promise<unknown> {
    if (text === START_TRANSACTION) return this.send(BEGIN_WITH_TIMEOUTS);
    const statement = { name: values.length > 0 ? this.findStatementName(text) : undefined, text, values };
    if (!this.isStartPending) return this.send(statement);
    this.isStartPending = false;
    return executeFirst(this, statement);
  }

  private send(...args: unknown[]): Promise<unknown> {
    return (super.query as (...all: unknown[]) => Promise<unknown>).apply(this, args);
  }

  /** Returns undefined if the session does not keep the statement. */
  private findStatementName(text: string): string | undefined {
    if (!this.config.preparesStatements || !this.hasOwnSession) return undefined;
    const { size } = this.statementNames;
    if (size < MAX_PREPARED_STATEMENTS && !this.statementNames.has(text))
      this.statementNames.set(text, `statement_${size}`);
    return this.statementNames.get(text);
  }

  /** The attributes of spans, as the semantic conventions for PostgreSQL name them. */
  private get spanAttributes(): Record<string, string | number> {
    return {
      'db.system.name': 'postgresql',
      'db.namespace': this.database ?? '',
      'server.address': this.host,
      'server.port': this.port,
    };
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
      throw new DatabaseConnectionError(this, error);
    }
  }

  private async limit<T>(text: string, result: Promise<T>): Promise<T> {
    let isCancelRequested = false;
    let timer = setTimeout(() => {
      isCancelRequested = text !== 'COMMIT';
      if (isCancelRequested) sendCancelRequest(this);
      timer = setTimeout(() => this.destroy(), CANCEL_TIMEOUT_MS);
    }, CLIENT_TIMEOUT_MS);
    try {
      return await result;
    } finally {
      clearTimeout(timer);
      // The request may arrive late, and would then cancel the next statement or commit.
      if (isCancelRequested) this.destroy();
    }
  }

  /** All statements of the connection fail, and the pool removes it. */
  private destroy(): void {
    this.connection.stream.destroy(new Error('Query read timeout'));
  }
}

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
function sendCancelRequest(client: pg.Client): void {
  const { processID, secretKey } = client as pg.Client & SessionKey;
  const connection = new pg.Connection({ ssl: client.ssl }) as unknown as CancelConnection;
  const cancel = (): void => connection.cancel(processID, secretKey);
  connection.stream.unref().setTimeout(RESPONSE_TIMEOUT_MS, () => connection.stream.destroy());
  connection.on('error', () => undefined);
  connection.once('connect', () => (client.ssl ? connection.requestSsl() : cancel()));
  connection.once('sslconnect', cancel);
  connection.connect(client.port, client.host);
}
