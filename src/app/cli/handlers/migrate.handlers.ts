import { AppliedMigrations } from '../../../platform/database/database.module.js';
import { withApplication } from '../application-context.js';

/** Returns the names of the migrations that the start of the application context applied. */
export function migrateDatabase(): Promise<object> {
  return withApplication([], (app) => Promise.resolve({ applied: app.get(AppliedMigrations).names }));
}
