import { useCompileCache } from './platform/config/compile-cache.js';
import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
useCompileCache();
const { runServer } = await import('./app/server/run-server.js');
const { createApp } = await import('./app.setup.js');
await runServer(createApp);
