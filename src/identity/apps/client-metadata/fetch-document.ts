import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { ClientMetadataError } from './client-metadata-document.js';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;

/** Time for which a document is valid: at least a minute, at most a day, an hour by default. */
const [MIN_LIFETIME_SECONDS, DEFAULT_LIFETIME_SECONDS, MAX_LIFETIME_SECONDS] = [60, 3600, 86_400];

/** A fetched document. */
export interface FetchedDocument {
  text: string;
  lifetimeSeconds: number;
}

/**
 * Fetches a JSON document in 5 seconds. The agent resolves the name of the host and connects only
 * to a public address, so a name cannot lead to a private one after the check. A redirect is an
 * error.
 * @throws ClientMetadataError
 */
export async function fetchDocument(url: string): Promise<FetchedDocument> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const agent = new RequestFilteringHttpsAgent({ keepAlive: false });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { agent, signal, headers: { Accept: 'application/json' } }, resolve).on('error', reject);
    });
    return { text: await readText(response), lifetimeSeconds: computeLifetime(response.headers) };
  } catch (error) {
    throw error instanceof ClientMetadataError ? error : new ClientMetadataError((error as Error).message);
  } finally {
    agent.destroy();
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const { statusCode, headers } = response;
  if (statusCode !== 200) return reject(response, `The status is ${statusCode}, not 200.`);
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    return reject(response, 'The type is not application/json.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) return reject(response, 'The document is larger than 64 KiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reject(response: IncomingMessage, message: string): never {
  response.destroy();
  throw new ClientMetadataError(message);
}

/** Returns the time for which caches may use a response (RFC 9111 §4.2.1), within its limits. */
function computeLifetime(headers: IncomingMessage['headers']): number {
  const cacheControl = headers['cache-control'] ?? '';
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_LIFETIME_SECONDS;
  const maxAge = /\bs-maxage="?(\d{1,9})/i.exec(cacheControl) ?? /\bmax-age="?(\d{1,9})/i.exec(cacheControl);
  const age = /^\d{1,9}$/.test(headers.age ?? '') ? Number(headers.age) : 0;
  const seconds = maxAge ? Number(maxAge[1]) - age : computeExpiry(headers);
  return Math.min(Math.max(seconds, MIN_LIFETIME_SECONDS), MAX_LIFETIME_SECONDS);
}

function computeExpiry({ expires, date }: IncomingMessage['headers']): number {
  if (expires === undefined) return DEFAULT_LIFETIME_SECONDS;
  const seconds = (Date.parse(expires) - (Date.parse(date ?? '') || Date.now())) / 1000;
  return Number.isNaN(seconds) ? MIN_LIFETIME_SECONDS : Math.floor(seconds);
}
