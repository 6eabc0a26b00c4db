import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { connect } from 'node:net';

/**
 * Sends load to a token endpoint: each connection refreshes its own chain.
 * @param target `url` of the endpoint, the first `tokens`, and `bodyOf(token)` with its `type`
 * @returns the number of refreshes, the seconds, the latencies in milliseconds, and the tokens of
 * each chain in order
 */
export async function loadTokenEndpoint({ url, tokens, type, bodyOf }, seconds) {
  const { hostname, port, pathname } = new URL(url);
  const started = performance.now();
  const until = started + seconds * 1000;
  const latencies = [];
  const chains = tokens.map((token) => [token]);
  const run = async (chain) => {
    const socket = await openSocket(hostname, port);
    while (performance.now() < until) {
      const sent = performance.now();
      const response = await sendPost(socket, pathname, type, bodyOf(chain.at(-1)));
      if (response.status !== 200) throw new Error(`${url} responded ${response.status}: ${response.body}`);
      latencies.push(performance.now() - sent);
      chain.push(JSON.parse(response.body).refresh_token);
    }
    socket.destroy();
  };
  await Promise.all(chains.map(run));
  return { count: latencies.length, seconds: (performance.now() - started) / 1000, latencies, chains };
}

/** Adds the body of a refresh request to the announcement of a target. */
export function toRefreshTarget(target) {
  const { id: client_id, secret: client_secret } = target.client;
  const fields = (refresh_token) => ({ grant_type: 'refresh_token', refresh_token, client_id, client_secret });
  const bodyOf = (token) => (target.form ? `${new URLSearchParams(fields(token))}` : JSON.stringify(fields(token)));
  return { ...target, type: target.form ? 'application/x-www-form-urlencoded' : 'application/json', bodyOf };
}

/** Sends load to a guarded URL, with one token per connection. @returns requests per second */
export async function loadProtectedResource({ url, tokens, dpopKey, htu }, seconds) {
  const signers = tokens.map((token) => (dpopKey ? signProofs({ token, dpopKey, htu }, seconds) : undefined));
  const { hostname, port, pathname } = new URL(url);
  const started = performance.now();
  const until = started + seconds * 1000;
  let count = 0;
  const run = async (token, index) => {
    const socket = await openSocket(hostname, port);
    const proofs = signers[index];
    const start = `GET ${pathname} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${proofs ? 'DPoP' : 'Bearer'} ${token}\r\n`;
    while (performance.now() < until && proofs?.length !== 0) {
      const response = await sendRequest(socket, proofs ? `${start}DPoP: ${proofs.pop()}\r\n\r\n` : `${start}\r\n`);
      if (response.status !== 200) throw new Error(`${url} responded ${response.status}: ${response.body}`);
      count++;
    }
    socket.destroy();
  };
  await Promise.all(tokens.map(run));
  return count / ((performance.now() - started) / 1000);
}

/** Proofs for one connection and second. The load ends earlier if they are used up. */
const PROOFS_PER_SECOND = 100;

/** Signs DPoP proofs before the measurement, because the load generator shares the machine. */
function signProofs({ token, dpopKey, htu }, seconds) {
  const key = createPrivateKey({ key: dpopKey, format: 'jwk' });
  const { d, ...jwk } = dpopKey;
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk });
  const ath = createHash('sha256').update(token).digest('base64url');
  const iat = Math.floor(Date.now() / 1000);
  return Array.from({ length: Math.ceil(PROOFS_PER_SECOND * seconds) }, () => {
    const signed = `${header}.${encode({ jti: randomUUID(), htm: 'GET', htu, iat, ath })}`;
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  });
}

/** Sends one request on a separate connection. */
export async function postOnce({ url, type }, body) {
  const { hostname, port, pathname } = new URL(url);
  const socket = await openSocket(hostname, port);
  const response = await sendPost(socket, pathname, type, body);
  socket.destroy();
  return response;
}

export function openSocket(host, port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.setEncoding('latin1').once('error', reject);
  });
}

export function sendPost(socket, path, type, body) {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return sendRequest(socket, head + body);
}

/**
 * Sends a request and reads its response, which must have a Content-Length. The parser does as
 * little work as possible, because it shares the machine with the measured process.
 */
function sendRequest(socket, request) {
  return new Promise((resolve, reject) => {
    let read = '';
    const onData = (chunk) => {
      read += chunk;
      const end = read.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(read);
      if (!length) return finish(reject, new Error(`The response has no Content-Length: ${read.slice(0, end)}`));
      if (read.length < end + 4 + Number(length[1])) return;
      finish(resolve, { status: Number(read.slice(9, 12)), body: read.slice(end + 4) });
    };
    const onEnd = () => finish(reject, new Error('The connection was closed.'));
    const finish = (settle, value) => {
      socket.off('data', onData).off('close', onEnd);
      settle(value);
    };
    socket.on('data', onData).once('close', onEnd);
    socket.write(request);
  });
}
