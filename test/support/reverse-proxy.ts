import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ToolProcess } from './deploy-tools.js';
import { findFreePort } from './free-port.js';
import { writeNginxConfig } from './nginx-config.js';

/** The configurations of proxies in front of the service. */
export type ProxyFile = 'deploy/nginx.conf' | 'deploy/nginx-tls.conf' | 'deploy/haproxy-http.cfg';

/** A proxy with a copy of its configuration, which uses no TLS. */
export class ReverseProxy {
  private constructor(
    private readonly process: ToolProcess,
    /** The socket of HAProxy for the operator. */
    private readonly adminSocket?: string,
  ) {}

  /**
   * Starts a proxy.
   * @param folder for the files of the proxy
   * @param port the port of the loopback interface that it listens on
   * @param upstream the ports of the processes of the service
   */
  static async start(folder: string, file: ProxyFile, port: number, upstream: number[]): Promise<ReverseProxy> {
    if (file === 'deploy/haproxy-http.cfg') {
      const socket = join(folder, 'admin.sock');
      const config = await writeHaproxyConfig(folder, socket, port, upstream);
      return new ReverseProxy(await ToolProcess.start(port, 'haproxy', '-db', '-f', config), socket);
    }
    const otherPort = await findFreePort();
    const ports = file === 'deploy/nginx.conf' ? { http: port, tls: otherPort } : { http: otherPort, tls: port };
    const options = await writeNginxConfig(folder, file, { ...ports, upstream }, false);
    return new ReverseProxy(await ToolProcess.start(port, 'nginx', ...options));
  }

  /** Sends no more requests to a process, and waits for the open ones. nginx needs no command. */
  async drain(upstreamPort: number): Promise<void> {
    if (this.adminSocket === undefined) return;
    await this.sendCommand(`set server processes/map${upstreamPort} state drain`);
    while ((await this.readStatistic(upstreamPort, 'scur')) !== '0');
  }

  /** Sends requests to a process again, and waits for a check by the proxy. nginx has none. */
  async resume(upstreamPort: number): Promise<void> {
    if (this.adminSocket === undefined) return;
    await this.sendCommand(`set server processes/map${upstreamPort} state ready`);
    while ((await this.readStatistic(upstreamPort, 'status')) !== 'UP');
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  /** Returns a value that HAProxy shows of a process: `scur` (open requests) or `status`. */
  private async readStatistic(upstreamPort: number, name: 'scur' | 'status'): Promise<string | undefined> {
    const [names = '', ...rows] = (await this.sendCommand('show stat processes 4 -1')).split('\n');
    const row = rows.find((candidate) => candidate.startsWith(`processes,map${upstreamPort},`));
    return row?.split(',')[names.split(',').indexOf(name)];
  }

  /** Sends a command to HAProxy. @returns its output */
  private async sendCommand(command: string): Promise<string> {
    const socket = connect(this.adminSocket!);
    socket.write(`${command}\n`);
    return text(socket);
  }
}

/** Writes a copy of the configuration of HAProxy. @returns its path */
async function writeHaproxyConfig(folder: string, socket: string, port: number, upstream: number[]): Promise<string> {
  const servers = upstream.map((serverPort) => `  server map${serverPort} 127.0.0.1:${serverPort}`);
  const config = (await readFile('deploy/haproxy-http.cfg', 'utf8'))
    .replace('/run/haproxy/admin.sock', socket)
    .replace('  bind :80\n', '')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/http-request redirect .*/, '')
    .replace(/ {2}server map1 [^]*$/, `${servers.join('\n')}\n`);
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, config);
  return path;
}
