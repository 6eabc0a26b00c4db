import { openSocket } from './http-load.js';

/**
 * Sends GET requests on one connection per request text, each with one response at a time.
 * @param requests texts of requests by connection; a connection repeats its texts in order
 * @returns requests per second
 */
export async function loadReads({ url }, requests, seconds) {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  const until = started + seconds * 1000;
  let count = 0;
  const run = async (texts) => {
    const socket = await openReadSocket(hostname, port);
    for (let index = 0; performance.now() < until; index++, count++)
      await exchange(socket, texts[index % texts.length]);
    socket.destroy();
  };
  await Promise.all(requests.map(run));
  return count / ((performance.now() - started) / 1000);
}

/** Formats a GET request. */
export function formatGet(path, token) {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

async function openReadSocket(hostname, port) {
  const socket = await openSocket(hostname, port);
  return socket.setEncoding('latin1');
}

/**
 * Sends a request and counts the bytes of its response. It looks only at the first chunk, because
 * the load generator shares the machine with the measured process.
 */
function exchange(socket, request) {
  return new Promise((resolve, reject) => {
    let missing = 0;
    const onData = (chunk) => {
      missing = missing === 0 ? countMissingBytes(chunk) : missing - chunk.length;
      if (missing > 0) return;
      socket.off('data', onData).off('close', onClose);
      resolve();
    };
    const onClose = () => reject(new Error('The connection was closed.'));
    socket.on('data', onData).once('close', onClose);
    socket.write(request);
  });
}

function countMissingBytes(chunk) {
  const end = chunk.indexOf('\r\n\r\n');
  const head = chunk.slice(0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (!chunk.startsWith('HTTP/1.1 200') || !length) throw new Error(`Unexpected response: ${chunk.slice(0, 500)}`);
  return end + 4 + Number(length[1]) - chunk.length;
}
