import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import ora from 'ora';
import { AppliedMigrations } from '../../platform/database/database.module.js';
import { GeneratedMarkersService } from '../demo/generated-markers.service.js';
import { DemoService } from '../demo/demo.service.js';
import { formatProgressBar } from './progress-bar.js';
import { appCommand } from './command-runner.js';

export function buildMigrateCommand(): Command {
  return appCommand(new Command('migrate').description('bring the database up to date'), (app) =>
    Promise.resolve({ applied: app.get(AppliedMigrations).names }),
  );
}

export function buildDemoCommand(): Command {
  const command = new Command('demo')
    .description('load the demo data into an empty database')
    .option('--scale <markers>', 'and so many made-up markers beside it; begun again, it goes on where it ended');
  return appCommand<{ scale?: string }>(command, async (app, { scale }) => {
    const demo = await app.get(DemoService).load();
    if (scale !== undefined) return { ...demo, ...(await loadGeneratedMarkers(app, scale)) };
    if (!demo) throw new Error('The database is not empty, so the demo data was not loaded.');
    return demo;
  });
}

async function loadGeneratedMarkers(app: INestApplicationContext, scale: string): Promise<object> {
  if (!/^[1-9]\d{0,7}$/.test(scale)) throw new Error('--scale takes a number of markers, such as 100000.');
  const spinner = ora('Making markers').start();
  try {
    return await app
      .get(GeneratedMarkersService)
      .load(Number(scale), (done, total) => (spinner.text = formatProgressBar(done, total, 'markers')));
  } finally {
    spinner.stop();
  }
}
