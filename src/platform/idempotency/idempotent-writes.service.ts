import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AesGcmCipher } from '../crypto/aes-gcm-cipher.js';
import { computeDigest } from '../crypto/opaque-secret.js';
import { tryLock } from '../database/advisory-locks.js';
import { TransactionService } from '../database/transaction.service.js';
import { DomainError } from '../errors/domain-error.js';
import { IdempotentResponse } from './idempotent-response.entity.js';

/** Milliseconds for which a response can be repeated. A scheduled task deletes it later. */
const RETENTION_MS = 24 * 3600_000;

/** A key that a client chose for a request, and the request. */
export interface IdempotencyKey {
  key: string;
  /** The request as JSON values, before any normalization. */
  request: unknown;
}

/** The response of a write. */
export interface Written<Response> {
  response: Response;
  /** Whether an earlier request with the same key made the write. */
  isReplay: boolean;
}

/** How a write is repeated. */
export interface Replay<Response> {
  /** Without a key, each call writes. */
  key: IdempotencyKey | undefined;
  /** The operation, the app and the person, for which a key is unique. */
  scope: string[];
  /** Checks, before a stored response is repeated, that the person can still write. */
  authorize: (tx: EntityManager) => Promise<unknown>;
  /** Returns a stored response without the members that the app cannot read now. */
  restrict?: (response: Response) => Response;
}

/** A write in an open transaction, with all its checks. */
type Write<Response> = (tx: EntityManager) => Promise<Response>;

/** The content of a stored response. */
interface StoredWrite<Response> {
  requestDigest: string;
  response: Response;
}

/**
 * Runs a write once for each key of an app and a person. The response is stored in the transaction
 * of the write, so a write that fails stores none, and its key can be used again.
 */
@Injectable()
export class IdempotentWritesService {
  /** The keys of the writes that run in this process. */
  private readonly inFlight = new Set<string>();

  constructor(private readonly transactions: TransactionService) {}

  /**
   * Runs a write in a transaction, unless a write with the same key was committed.
   * @throws DomainError `idempotency_in_flight` while a request with the same key runs,
   *   `idempotency_key_reused` if the key belongs to another request
   */
  async run<Response>(write: Write<Response>, replay: Replay<Response>): Promise<Written<Response>> {
    const { key, scope } = replay;
    if (!key) return { response: await this.transactions.run(write), isReplay: false };
    const secret = JSON.stringify([...scope, key.key]);
    const digest = computeDigest(secret);
    if (this.inFlight.has(digest)) throw createInFlightError();
    this.inFlight.add(digest);
    try {
      return await this.transactions.run((tx) => runOnce(tx, write, replay, { secret, digest }));
    } finally {
      this.inFlight.delete(digest);
    }
  }
}

async function runOnce<Response>(
  tx: EntityManager,
  write: Write<Response>,
  { key, authorize, restrict = (response) => response }: Replay<Response>,
  { secret, digest }: { secret: string; digest: string },
): Promise<Written<Response>> {
  if (!(await tryLock(tx, 'idempotencyKeys', digest))) throw createInFlightError();
  const cipher = new AesGcmCipher([secret], 'idempotent-write');
  const requestDigest = computeDigest(toCanonicalJson(key!.request));
  const row = await tx.findOneBy(IdempotentResponse, { digest });
  if (row && row.expiresAt.getTime() > Date.now()) {
    await authorize(tx);
    const stored = JSON.parse(cipher.decrypt(row.encryptedResponse)!) as StoredWrite<Response>;
    if (stored.requestDigest !== requestDigest) throw createKeyReusedError();
    return { response: restrict(stored.response), isReplay: true };
  }
  const response = await write(tx);
  const encryptedResponse = cipher.encrypt(JSON.stringify({ requestDigest, response }));
  const expiresAt = new Date(Date.now() + RETENTION_MS);
  await tx.upsert(IdempotentResponse, { digest, encryptedResponse, expiresAt }, ['digest']);
  return { response, isReplay: false };
}

/** Returns the same text for equal JSON values, in which the order of members has no meaning. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** A request with the same key has not ended. */
export function createInFlightError(): DomainError {
  return new DomainError(
    'conflict',
    'idempotency_in_flight',
    'Idempotency-Key belongs to a request that is still running. Repeat the request in a second.',
  );
}

/** The key was sent with another request. */
export function createKeyReusedError(): DomainError {
  return new DomainError(
    'unprocessable',
    'idempotency_key_reused',
    'Idempotency-Key was already sent with another request. Send a new key with each new request.',
  );
}
