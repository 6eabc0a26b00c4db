// Builds the service if there is no build, so that the command line works in a fresh checkout.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('dist/src/cli.js')) {
  execFileSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], { stdio: ['ignore', 2, 2] });
}
