import { Command } from 'commander';
import { AppliedMigrations } from '../database/database.module.js';
import { DemoService } from '../demo/demo.service.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { does } from './run.js';

export function migrateCommand(): Command {
  return does(new Command('migrate').description('bring the database up to date'), (app) =>
    Promise.resolve({ applied: app.get(AppliedMigrations).names }),
  );
}

export function demoCommand(): Command {
  return does(new Command('demo').description('load the demo data into an empty database'), async (app) => {
    const demo = await app.get(DemoService).load();
    if (!demo) throw new Error('The database is not empty, so the demo data was not loaded.');
    return demo;
  });
}

export function keysCommand(): Command {
  const list = does(new Command('list').description('the keys that sign tokens, the newest first'), (app) =>
    Promise.resolve(
      app
        .get(SigningKeys)
        .list()
        .map(({ kid, algorithm, createdAt }) => ({ kid, algorithm, created_at: createdAt.toISOString() })),
    ),
  );
  return new Command('keys').description('signing keys').addCommand(list);
}
