import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { ToolProcess } from '../support/deploy-tools.js';
import { findFreePort } from '../support/free-port.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

/** A database server that greets with its name, and the REST interface of its Patroni. */
class FakeDatabase {
  isPrimary = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly patroni: HttpServer,
  ) {}

  static async start(name: string): Promise<FakeDatabase> {
    const server = createServer((socket) => socket.on('error', () => undefined).write(name)).listen(0, '127.0.0.1');
    const patroni = createHttpServer((request, response) => {
      const isPrimary = request.url === '/primary' && database.isPrimary;
      response.writeHead(isPrimary ? 200 : 503).end();
    }).listen(0, '127.0.0.1');
    const database = new FakeDatabase(server, patroni);
    server.on('connection', (socket: Socket) => database.sockets.add(socket));
    await Promise.all([once(server, 'listening'), once(patroni, 'listening')]);
    return database;
  }

  /** Waits until Patroni has responded to this many checks. */
  async waitForChecks(count: number): Promise<void> {
    for (let checks = 0; checks < count; checks++) await once(this.patroni, 'request');
  }

  get ports(): { database: number; patroni: number } {
    const portOf = (server: Server | HttpServer): number => (server.address() as AddressInfo).port;
    return { database: portOf(this.server), patroni: portOf(this.patroni) };
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    this.patroni.close();
    this.patroni.closeAllConnections();
  }
}

describe('HAProxy with deploy/haproxy.cfg', () => {
  let folder: TempFolder;
  let first: FakeDatabase;
  let second: FakeDatabase;
  let haproxy: ToolProcess;
  let port: number;

  beforeEach(async () => {
    [folder, first, second] = await Promise.all([
      createTempFolder(),
      FakeDatabase.start('first'),
      FakeDatabase.start('second'),
    ]);
    first.isPrimary = true;
    port = await findFreePort();
    const config = (await readFile('deploy/haproxy.cfg', 'utf8'))
      .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
      .replace('bind 127.0.0.1:8405', `bind 127.0.0.1:${await findFreePort()}`)
      .replace('10.0.0.11:5432 check port 8008', toAddress(first))
      .replace('10.0.0.12:5432 check port 8008', toAddress(second));
    const file = join(folder.path, 'haproxy.cfg');
    await writeFile(file, config);
    haproxy = await ToolProcess.start(port, 'haproxy', '-db', '-f', file);
  });
  afterEach(async () => {
    await haproxy.stop();
    first.stop();
    second.stop();
    await folder.remove();
  });

  const toAddress = ({ ports }: FakeDatabase): string => `127.0.0.1:${ports.database} check port ${ports.patroni}`;

  /** Opens a connection. @returns it and the name of the server, or nothing if it was closed */
  async function open(): Promise<{ socket: Socket; name: string | undefined }> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const read = once(socket, 'data').then(([chunk]) => String(chunk));
    const name = await Promise.race([read, once(socket, 'close').then(() => undefined)]);
    return { socket, name };
  }

  /** Opens connections until one reaches a server. @returns its name */
  async function findServer(): Promise<string> {
    for (;;) {
      const { socket, name } = await open();
      socket.destroy();
      if (name !== undefined) return name;
    }
  }

  it('forwards connections to the primary only', async () => {
    await second.waitForChecks(2); // until then, HAProxy does not know that it is a standby
    expect(await findServer()).toBe('first');
    const names = await Promise.all(Array.from({ length: 10 }, findServer));
    expect(new Set(names)).toEqual(new Set(['first']));
  });

  it('closes the connections to the old primary after a failover, and uses the new one', async () => {
    await second.waitForChecks(2);
    const { socket, name } = await open();
    expect(name).toBe('first');
    const closed = once(socket, 'close');
    first.isPrimary = false;
    second.isPrimary = true;
    await closed;
    expect(await findServer()).toBe('second');
  });
});
