import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
const { runServer } = await import('./app/server/run-server.js');
await runServer();
