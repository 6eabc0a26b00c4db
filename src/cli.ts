import { useCompileCache } from './platform/config/compile-cache.js';
import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
useCompileCache();
const { runCommandLine } = await import('./app/cli/run-command-line.js');

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0); // the reader closed it early, as `head` does
  process.stderr.write(`Standard output cannot be written: ${message}.\n`);
  process.exit(1);
});
const args = process.argv.slice(2);
const exitCode = await runCommandLine(args, async () => (await import('./app.module.js')).AppModule);
if (exitCode !== 0) process.exit(exitCode);
