import { once } from 'node:events';
import { createServer } from 'node:http';
import { Registry } from 'prom-client';

/**
 * Starts a server for operators that responds only to `GET /metrics`, on a separate address.
 * @param read returns the metrics as text
 */
export async function startMetricsServer(port: number, host: string, read: () => Promise<string>): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end();
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
}
