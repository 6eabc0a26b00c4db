import { tmpdir } from 'node:os';
import { ServerProcess } from './server-process.js';

/** The built service as a process, with the settings of `Service`, so that both take each other's tokens. */
export function startServerProcess(databaseUrl: string, through: string[] = []): Promise<ServerProcess> {
  const environment = {
    DATABASE_URL: databaseUrl,
    BASE_URL: 'https://map.example.org',
    MASTER_SECRET: 'a secret of the tests, and of them alone',
    DEMO_DATA: 'off',
    LOG_LEVEL: 'error',
  };
  return ServerProcess.start(tmpdir(), environment, through);
}
