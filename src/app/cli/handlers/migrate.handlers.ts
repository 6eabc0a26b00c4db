import { AppliedMigrations } from '../../../platform/database/database.module.js';
import { withApplication } from '../application-context.js';

/** Applies the pending migrations, as the start of any command does, and returns their names. */
export function migrateDatabase(): Promise<object> {
  return withApplication([], (app) => Promise.resolve({ applied: app.get(AppliedMigrations).names }));
}
