import { Command } from 'commander';
import ora from 'ora';
import { isInMemory, isSqlite } from '../config/database-url.js';
import { environmentDatabaseUrl } from '../config/environment-settings.js';
import { BackUpError, backUpSqlite } from '../database/back-up.js';
import { progressBar } from './progress-bar.js';
import { prints } from './run.js';

/** It leaves the database as it is, so that it can be made before a new version changes the tables; and needs no secret. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('copy the SQLite file into a new one, while the service runs')
    .argument('<file>', 'where to; it must not be there yet');
  return prints(command, async (_, file: string) => {
    const url = environmentDatabaseUrl();
    if (!isSqlite(url) || isInMemory(url)) {
      throw new Error('This is for an SQLite file. For PostgreSQL, use pg_dump: docs/for-operators.md shows how.');
    }
    const spinner = ora({ text: 'Copying', isSilent: !process.stderr.isTTY }).start(); // a timer that runs it is told nothing
    let isStopped = false;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
    try {
      const follow = (done: number, total: number): void => {
        if (isStopped) throw new BackUpError('The backup was stopped, and nothing of it is left.');
        spinner.text = progressBar(done, total, 'pages');
      };
      const { bytes, asOf } = await backUpSqlite(url.slice('sqlite:'.length), file, follow);
      return { file, bytes, as_of: asOf.toISOString() };
    } finally {
      spinner.stop();
    }
  });
}
