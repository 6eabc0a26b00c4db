import { hash, verify } from 'argon2';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../platform/errors/domain-error.js';
import { toLargestNetwork } from '../../platform/http/client-address.js';
import { getCurrentRequest } from '../../platform/logging/request-context.js';
import { FairQueue, QueueFullError } from './fair-queue.js';

/** The key of work without a request: commands and scheduled tasks. */
const NO_NETWORK_KEY = 'no network';

/** Seconds after which a rejected client can try again. 64 hashes take about 5 seconds. */
export const HASHING_RETRY_AFTER_SECONDS = 5;

/**
 * The queue of all password hashes of this process. Two run at the same time, so that two of the
 * four threads of libuv's pool stay free for the database. At most 64 wait. Known browsers have 16
 * of these places. One network takes at most half of the places.
 */
export const PASSWORD_QUEUE = new FairQueue({
  concurrency: 2,
  places: { total: 48, perKey: 24 },
  keptPlaces: { total: 16, perKey: 8 },
});

/**
 * Time after which a rejection is sent, so that a client that repeats its request at once does not
 * keep the process busy.
 */
const REJECTION_DELAY_MS = 1000;

/** The queue of passwords to hash is full. */
export class HashingQueueFullError extends DomainError {
  constructor() {
    const retryAfterSeconds = HASHING_RETRY_AFTER_SECONDS;
    super('unavailable', 'too_busy', 'Too many passwords wait to be verified. Try again.', { retryAfterSeconds });
  }
}

/** The client closed the connection before its password was hashed. No client gets the response. */
export class ConnectionClosedError extends DomainError {
  constructor() {
    super('invalid', 'connection_closed', 'The client closed the connection.');
  }
}

/** Work that can verify a password without waiting for another turn. */
export type HashingWork<T> = (verifyNow: typeof verifyPassword) => Promise<T>;

/**
 * Waits for a turn of the client's network, then runs `work`. If `work` counts an
 * attempt, an attempt that the full queue rejects, or whose connection is closed, does not count.
 * @param hasPriority whether the request comes from a known browser of the account
 * @throws HashingQueueFullError
 * @throws ConnectionClosedError
 */
export async function runInHashingQueue<T>(work: HashingWork<T>, hasPriority = false): Promise<T> {
  const request = getCurrentRequest();
  const controller = new AbortController();
  const abort = (): void => controller.abort(new ConnectionClosedError());
  if (request?.socket.destroyed) abort();
  request?.socket.once('close', abort);
  try {
    const options = { signal: controller.signal, hasPriority };
    return await PASSWORD_QUEUE.run(getQueueKey(), () => work(verifyHash), options);
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    await sleep(REJECTION_DELAY_MS, undefined, { ref: false });
    throw new HashingQueueFullError();
  } finally {
    request?.socket.off('close', abort);
  }
}

/**
 * Hashes a password with Argon2id and a random salt, at the library's default cost (64 MiB, 3
 * passes), which is above the recommendations of RFC 9106 §4 and OWASP.
 * @returns the PHC string: algorithm, cost, salt and hash
 * @throws HashingQueueFullError
 * @throws ConnectionClosedError
 */
export function hashPassword(password: string): Promise<string> {
  return runInHashingQueue(() => hash(password.normalize('NFC')));
}

/**
 * Whether the password matches the hash.
 * @throws HashingQueueFullError
 * @throws ConnectionClosedError
 */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return runInHashingQueue((verifyNow) => verifyNow(passwordHash, password));
}

function getQueueKey(): string {
  const request = getCurrentRequest();
  return request ? toLargestNetwork(request.ip ?? '') : NO_NETWORK_KEY;
}

function verifyHash(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password.normalize('NFC'));
}

/**
 * A hash of the same cost that matches no known password. It is verified if the account does not
 * exist.
 */
export const DUMMY_PASSWORD_HASH =
  '$argon2id$v=19$m=65536,p=4,t=3$aHEcioin7CrlxVhS5HISlA$Z4IalYTcZh1Tv2lviUJ9b4fBI3BVmBKgk2s6jxPzUGw';
