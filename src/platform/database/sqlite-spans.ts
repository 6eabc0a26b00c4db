import type { Database, Statement } from 'better-sqlite3';
import { getTracer } from '../tracing/tracing.js';

const ATTRIBUTES = { 'db.system.name': 'sqlite' };

/** Records spans for the statements of a connection, if tracing is on. */
export function traceStatements(database: Database): void {
  const tracer = getTracer();
  if (!tracer) return;
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  const prepareTraced = (sql: string): Statement => {
    const statement = prepare(sql);
    const trace =
      <Result>(execute: (...values: unknown[]) => Result) =>
      (...values: unknown[]) =>
        tracer.traceBlockingStatement(ATTRIBUTES, sql, () => execute(...values));
    return Object.assign(statement, {
      run: trace(statement.run.bind(statement)),
      get: trace(statement.get.bind(statement)),
      all: trace(statement.all.bind(statement)),
    });
  };
  Object.assign(database, { prepare: prepareTraced });
}
