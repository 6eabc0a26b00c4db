import { useCompileCache } from './platform/config/compile-cache.js';
import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
useCompileCache();
const { runCommandLine } = await import('./app/cli/run-command-line.js');

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', () => process.exit(0));
const args = process.argv.slice(2);
const exitCode = await runCommandLine(args, async () => (await import('./app.module.js')).AppModule);
if (exitCode !== 0) process.exit(exitCode);
