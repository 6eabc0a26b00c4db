import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestResponse } from '../support/test-server.js';
import type { RawRequest } from './request-arbitraries.js';

const agent = new Agent({ keepAlive: true });

/** Sends a request that `fetch` would correct, and follows no redirect. */
export async function sendRawRequest(
  url: string,
  { method, target, headers, body }: RawRequest,
): Promise<TestResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sending = request({ agent, hostname, port, method, path: target, headers: { ...headers, ...length } });
    sending.on('error', reject);
    sending.on('response', (response) => {
      buffer(response).then((bytes) => {
        const entries = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        const text = bytes.toString('utf8');
        const isJson = response.headers['content-type']?.includes('json') && text !== '';
        resolve({
          status: response.statusCode!,
          headers: new Headers(entries),
          body: isJson ? JSON.parse(text) : text,
        });
      }, reject);
    });
    sending.end(body);
  });
}
