import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { computeDigest } from '../../platform/crypto/opaque-secret.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { OAuthError } from './oauth-error.js';
import { IdempotentResponse } from './idempotent-response.entity.js';
import type { TokenRequest } from './token-request.dto.js';
import type { TokenResponse } from './token-response.dto.js';

/** Milliseconds for which an answer is given again; the next clean-up deletes it. */
const RETENTION_MS = 60_000;

/** A refresh that can be asked for again. */
export interface IdempotencyKey {
  /** What was presented: only who has it opens the answer. */
  refreshToken: string;
  /** What tells this attempt from others with the same token: the `Idempotency-Key`, and the scope asked for. */
  value: string;
}

/** @throws OAuthError invalid_request where the key is none */
export function parseIdempotencyKey(
  token: string,
  { scope }: TokenRequest,
  key: string | undefined,
): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw createInvalidKeyError();
  }
  return { refreshToken: token, value: JSON.stringify([key, scope]) };
}

export function createInvalidKeyError(): OAuthError {
  return new OAuthError('invalid_request', 'The Idempotency-Key takes 1 to 255 visible ASCII characters.');
}

/**
 * Keeps an answer of the refresh grant for a minute, for an app that never got it and asks by the same `Idempotency-Key`.
 * It is sealed with a key that only the presented token gives, so the database alone tells nobody.
 */
@Injectable()
export class IdempotentResponses {
  constructor(private readonly transactions: TransactionService) {}

  encrypt(attempt: IdempotencyKey, answer: TokenResponse): IdempotentResponse {
    return {
      digest: digestKey(attempt),
      encryptedResponse: createCipher(attempt).encrypt(JSON.stringify(answer)),
      expiresAt: new Date(Date.now() + RETENTION_MS),
    };
  }

  /** Looks in a transaction of its own, so that what it finds is on the disk before anybody is told of it again. */
  async find(attempt: IdempotencyKey): Promise<TokenResponse | undefined> {
    const kept = { digest: digestKey(attempt), expiresAt: MoreThan(new Date()) };
    const found = await this.transactions.run((tx) => tx.findOneBy(IdempotentResponse, kept));
    const answer = found && createCipher(attempt).decrypt(found.encryptedResponse);
    return answer == null ? undefined : (JSON.parse(answer) as TokenResponse);
  }
}

function digestKey({ refreshToken, value }: IdempotencyKey): string {
  return computeDigest(`${refreshToken} ${value}`);
}

function createCipher({ refreshToken }: IdempotencyKey): AesGcmCipher {
  return new AesGcmCipher([refreshToken], 'refresh-answer');
}
