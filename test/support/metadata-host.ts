import { jest } from '@jest/globals';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { createTempFolder, type TempFolder } from './temp-folder.js';
import { CertificateAuthority } from './tls-certificates.js';

/** A public address, which nothing in the tests contacts. */
const PUBLIC_ADDRESS = '93.184.215.14';

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

type Lookup = NonNullable<ConnectOptions['lookup']>;

interface ConnectOptions {
  host?: string;
  port?: number;
  lookup?: (
    host: string,
    options: object,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) => void;
}

/**
 * A host on the internet, as the service sees it: its name resolves to a public address, and
 * connections to this address reach a server of the test. The address check of the service runs.
 */
export class MetadataHost {
  /** What the name resolves to. */
  address = PUBLIC_ADDRESS;
  /** Answers the next requests. */
  respond: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end();
  readonly requests: string[] = [];

  private constructor(
    readonly name: string,
    private readonly server: Server,
    private readonly folder: TempFolder,
  ) {}

  static async start(name = 'assistant.example'): Promise<MetadataHost> {
    const folder = await createTempFolder();
    const authority = await CertificateAuthority.create(folder.path);
    const { certificate, key } = await authority.issue(name, `subjectAltName=DNS:${name}`);
    const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) });
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(authority.certificate, 'utf8')]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = new MetadataHost(name, server, folder);
    server.on('request', (request, response) => {
      host.requests.push(request.url!);
      host.respond(request, response);
    });
    host.redirectNetwork();
    return host;
  }

  async stop(): Promise<void> {
    jest.restoreAllMocks();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.folder.remove();
  }

  /** Serves a document at every path. */
  serve(document: unknown, headers: Record<string, string> = {}): void {
    this.respond = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof document === 'string' ? document : JSON.stringify(document));
    };
  }

  /**
   * Resolves the name to `address`. A connection that the lookup allows reaches the server of the
   * test.
   */
  private redirectNetwork(): void {
    const { port } = this.server.address() as AddressInfo;
    const connect: Connect = Object.getOwnPropertyDescriptor(net.Socket.prototype, 'connect')!.value;
    const redirect = (options: ConnectOptions): ConnectOptions => ({
      ...options,
      port,
      lookup: (_, lookupOptions, callback) =>
        (options.lookup ?? (dns.lookup as Lookup))(this.address, lookupOptions, (error) =>
          error ? callback(error, []) : callback(null, [{ address: '127.0.0.1', family: 4 }]),
        ),
    });
    const isRedirected = (options: unknown): options is ConnectOptions =>
      (options as ConnectOptions | undefined)?.host === this.name;
    jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: net.Socket, ...args: unknown[]) {
      const [options, ...rest] = args;
      return connect.call(this, isRedirected(options) ? redirect(options) : options, ...rest);
    });
  }
}
