import pg from 'pg';

/** The statement with which TypeORM starts a transaction. */
export const START_TRANSACTION = 'START TRANSACTION';

interface Statement {
  /** The name of a prepared statement. */
  name: string | undefined;
  text: string;
  values: unknown[];
}

/**
 * Starts a transaction and executes its first statement, in one round trip. If the start fails,
 * PostgreSQL does not execute the statement.
 * @throws the error of PostgreSQL
 */
export async function executeFirst(client: pg.Client, statement: Statement): Promise<unknown> {
  const send = pg.Client.prototype.query.bind(client) as (query: unknown) => unknown;
  if (statement.values.length === 0) {
    const [, ...results] = [await send(`${START_TRANSACTION}; ${statement.text}`)].flat();
    return results.length > 1 ? results : results[0];
  }
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: unknown): void => (error ? reject(error) : resolve(result));
    send(new FirstStatement({ ...statement, queryMode: 'extended', callback }));
  });
}

/** A connection of `pg`, with the texts of named statements that it sent. */
type Connection = pg.Connection & { submittedNamedStatements: Record<string, string> };

/** The members of a query of `pg` that its public type lacks. */
interface ProtocolQuery extends pg.Query {
  name: string | undefined;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

const ProtocolQuery = pg.Query as unknown as new (config: object) => ProtocolQuery;

/**
 * A statement whose messages follow those of the start of its transaction. After an error,
 * PostgreSQL skips all messages up to the next `Sync`, which follows the statement.
 */
class FirstStatement extends ProtocolQuery {
  private isStarted = false;
  private statementName: string | undefined;

  /**
   * Hides the name until the start is complete. Otherwise, `pg` would regard the statement as
   * prepared after the `ParseComplete` of the start.
   */
  override prepare(connection: Connection): void {
    connection.parse({ text: START_TRANSACTION, name: '', types: [] }, true);
    connection.bind({}, true);
    connection.execute(null, true);
    super.prepare(connection);
    if (this.name !== undefined) delete connection.submittedNamedStatements[this.name];
    [this.statementName, this.name] = [this.name, undefined];
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isStarted) return super.handleCommandComplete(message, connection);
    this.isStarted = true;
    this.name = this.statementName;
  }
}
