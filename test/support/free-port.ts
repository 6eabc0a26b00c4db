import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * These ports lie below those that Linux gives to outgoing connections and to `listen(0)`, so no
 * connection of another test can take a port before its test listens on it.
 */
const FIRST_PORT = 20_000;
const PORTS_OF_A_WORKER = 200;
const MAX_WORKERS = 60;

/** Workers of Jest run at the same time, so each has its own ports. */
const worker = Number(process.env.JEST_WORKER_ID ?? 0) % MAX_WORKERS;
let nextOffset = randomInt(PORTS_OF_A_WORKER);

/** Returns a TCP port that no process listens on, and that this test file did not get before. */
export async function findFreePort(): Promise<number> {
  const port = FIRST_PORT + worker * PORTS_OF_A_WORKER + (nextOffset++ % PORTS_OF_A_WORKER);
  return (await canListen(port)) ? port : findFreePort();
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
