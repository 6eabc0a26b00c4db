import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The ports that were returned. Until a test listens on one, the system can assign it again. */
const returned = new Set<number>();

/**
 * Returns a TCP port of the loopback interface that no process listens on, and that was not
 * returned before.
 */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  if (returned.has(port)) return findFreePort();
  returned.add(port);
  return port;
}
