import { useCompileCache } from './platform/config/compile-cache.js';
import { requireSupportedNode } from './platform/config/supported-node.js';

requireSupportedNode();
useCompileCache();
const { startProcess } = await import('./app/server/start-process.js');
await startProcess(async (settings) => {
  const { startServer } = await import('./app/server/start-server.js');
  const { createApp } = await import('./app.setup.js');
  await startServer(createApp, settings);
});
