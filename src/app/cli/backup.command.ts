import { Command } from 'commander';
import ora from 'ora';
import { isInMemory, isSqlite } from '../../platform/config/database-url.js';
import { getEnvironmentDatabaseUrl } from '../../platform/config/environment-settings.js';
import { BackupError, backUpSqlite } from '../../platform/database/sqlite-backup.js';
import { formatProgressBar } from './progress-bar.js';
import { standaloneCommand } from './command-runner.js';

/** It leaves the database as it is, so that it can be made before a new version changes the tables; and needs no secret. */
export function buildBackupCommand(): Command {
  const command = new Command('backup')
    .description('copy the SQLite file into a new one, while the service runs')
    .argument('<file>', 'where to; it must not be there yet');
  return standaloneCommand(command, async (_, file: string) => {
    const url = getEnvironmentDatabaseUrl();
    if (!isSqlite(url) || isInMemory(url)) {
      throw new Error('This is for an SQLite file. For PostgreSQL, use pg_dump: docs/for-operators.md shows how.');
    }
    const spinner = ora({ text: 'Copying', isSilent: !process.stderr.isTTY }).start(); // a timer that runs it is told nothing
    let isStopped = false;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
    try {
      const follow = (done: number, total: number): void => {
        if (isStopped) throw new BackupError('The backup was stopped, and nothing of it is left.');
        spinner.text = formatProgressBar(done, total, 'pages');
      };
      const { bytes, asOf } = await backUpSqlite(url.slice('sqlite:'.length), file, follow);
      return { file, bytes, as_of: asOf.toISOString() };
    } finally {
      spinner.stop();
    }
  });
}
