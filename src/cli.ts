import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
const { runCommandLine } = await import('./app/cli/run-command-line.js');
await runCommandLine();
