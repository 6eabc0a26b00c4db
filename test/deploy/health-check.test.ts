import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { findFreePort } from '../support/free-port.js';
import { TestServer } from '../support/test-server.js';

/** Runs the health check of the image. @returns its exit code */
async function runHealthCheck(url: string, baseUrl?: string): Promise<number> {
  const env = { PORT: new URL(url).port, ...(baseUrl && { BASE_URL: baseUrl }) };
  const [code] = await once(spawn('deploy/health-check.sh', { env }), 'exit');
  return code as number;
}

describe('The health check of the image', () => {
  let server: TestServer | undefined;

  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it.each(['http://localhost:3000', 'https://map.example.org', 'https://example.org/street/art'])(
    'succeeds if the service at %s is ready',
    async (baseUrl) => {
      server = await TestServer.start({ BASE_URL: baseUrl });
      expect(await runHealthCheck(server.url, baseUrl)).toBe(0);
    },
  );

  it('fails if the service responds with 503', async () => {
    server = await TestServer.start();
    const dataSource = server.get(ReservedConnections).manager.connection;
    await dataSource.destroy();
    expect((await server.request('GET', '/health/ready')).status).toBe(503);
    expect(await runHealthCheck(server.url)).toBe(1);
    await dataSource.initialize();
  });

  it('fails if no process listens', async () => {
    expect(await runHealthCheck(`http://127.0.0.1:${await findFreePort()}`)).toBe(1);
  });

  it('fails if the process accepts the connection and does not respond', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    expect(await runHealthCheck(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)).toBe(1);
    silent.close();
  });
});
