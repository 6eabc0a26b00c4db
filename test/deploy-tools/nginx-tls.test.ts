import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ToolProcess } from '../support/deploy-tools.js';
import { findFreePort } from '../support/free-port.js';
import { writeNginxConfig } from '../support/nginx-config.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';

/** Bytes from which nginx compresses a response. */
const MIN_COMPRESSED_BYTES = 1024;

interface Http2Response {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** nginx with `deploy/nginx-tls.conf` in front of a process, and a connection to it. */
class TlsProxy {
  private constructor(
    private readonly folder: TempFolder,
    private readonly nginx: ToolProcess,
    readonly session: ClientHttp2Session,
    readonly httpPort: number,
  ) {}

  static async start(upstream: number): Promise<TlsProxy> {
    const folder = await createTempFolder();
    const ports = { http: await findFreePort(), tls: await findFreePort(), upstream: [upstream] };
    const options = await writeNginxConfig(folder.path, 'deploy/nginx-tls.conf', ports);
    const nginx = await ToolProcess.start(ports.tls, 'nginx', ...options);
    const ca = await readFile(join(folder.path, 'fullchain.pem'));
    const session = connect(`https://127.0.0.1:${ports.tls}`, { ca, servername: 'map.example.org' });
    await once(session, 'connect');
    return new TlsProxy(folder, nginx, session, ports.http);
  }

  /** Sends a request over HTTP/2. A request with a body is a POST of JSON. */
  async request(path: string, headers: Record<string, string> = {}, body?: object): Promise<Http2Response> {
    const method = body ? { ':method': 'POST', 'content-type': 'application/json' } : { ':method': 'GET' };
    const stream = this.session.request({ ':path': path, ':authority': 'map.example.org', ...method, ...headers });
    stream.end(body && JSON.stringify(body));
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    await once(stream, 'end');
    return { status: Number(received[':status']), headers: received, body: Buffer.concat(chunks) };
  }

  async stop(): Promise<void> {
    this.session.close();
    await this.nginx.stop();
    await this.folder.remove();
  }
}

describe('nginx with deploy/nginx-tls.conf, before the service', () => {
  let service: TestServer;
  let proxy: TlsProxy;

  beforeAll(async () => {
    service = await TestServer.start({ COMPRESSION: 'off', TRUST_PROXY: '1' });
    proxy = await TlsProxy.start(Number(new URL(service.url).port));
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
  });

  it('responds over TLS with HTTP/2, and adds no second header of the service', async () => {
    expect(proxy.session.alpnProtocol).toBe('h2');
    const { status, headers } = await proxy.request('/health/live');
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+; includeSubDomains$/);
  });

  it('redirects HTTP to HTTPS', async () => {
    const headers = { Host: 'map.example.org' };
    const request = get({ host: '127.0.0.1', port: proxy.httpPort, path: '/api/markers?q=a', headers });
    const [{ statusCode, headers: received }] = (await once(request, 'response')) as [
      { statusCode: number; headers: Record<string, string> },
    ];
    expect(statusCode).toBe(308);
    expect(received['location']).toBe('https://map.example.org/api/markers?q=a');
  });

  it.each(['/api/openapi.json', '/docs/quickstart', '/assets/style.css'])('compresses %s', async (path) => {
    const plain = await proxy.request(path);
    const compressed = await proxy.request(path, { 'accept-encoding': 'gzip' });
    expect(compressed.status).toBe(200);
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.body.length).toBeLessThan(plain.body.length / 2);
  });

  it.each(['/sign-up', '/api/oauth/logout'])('does not compress the page %s', async (path) => {
    const { status, headers, body } = await proxy.request(path, { 'accept-encoding': 'gzip' });
    expect(status).toBe(200); // nginx compresses few other statuses
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.length).toBeGreaterThan(MIN_COMPRESSED_BYTES);
  });
});

describe('nginx with deploy/nginx-tls.conf, before a server that reports its requests', () => {
  let upstream: Server;
  let proxy: TlsProxy;

  afterEach(async () => {
    await proxy.stop();
    upstream.close();
  });

  const start = async (): Promise<void> => {
    upstream = createServer(({ headers }, response) => response.end(JSON.stringify(headers))).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    proxy = await TlsProxy.start((upstream.address() as AddressInfo).port);
  };

  it('replaces the address that the client claims', async () => {
    await start();
    const { body } = await proxy.request('/api/markers', { 'x-forwarded-for': '203.0.113.9' });
    expect(JSON.parse(body.toString())).toMatchObject({ 'x-forwarded-for': '127.0.0.1', host: 'map.example.org' });
  });

  it('limits forms of one address more than other requests, with 429 and Retry-After', async () => {
    await start();
    const reads = await Promise.all(Array.from({ length: 100 }, () => proxy.request('/sign-in')));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    const forms = await Promise.all(Array.from({ length: 100 }, () => proxy.request('/sign-in', {}, {})));
    const rejected = forms.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(30);
    for (const { status, headers, body } of rejected) {
      expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '1' });
      expect(JSON.parse(body.toString())).toMatchObject({ error: 'temporarily_unavailable' });
    }
  });
});
