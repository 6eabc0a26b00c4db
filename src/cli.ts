import { useCompileCache } from './platform/config/compile-cache.js';
import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
useCompileCache();
const { runCommandLine } = await import('./app/cli/run-command-line.js');
await runCommandLine(async () => (await import('./app.module.js')).AppModule);
