import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { digest } from '../crypto/opaque-secret.js';
import { SealedBox } from '../crypto/sealed-box.js';
import { Transactions } from '../database/transactions.js';
import { OAuthError } from './oauth-error.js';
import { SealedAnswer } from './sealed-answer.entity.js';
import type { TokenRequest } from './token-request.js';
import type { TokenResponse } from './token-response.js';

/** Milliseconds for which an answer is given again; the next clean-up deletes it. */
const KEPT = 60_000;

/** A refresh that can be asked for again. */
export interface Attempt {
  /** What was presented: only who has it opens the answer. */
  token: string;
  /** What tells this attempt from others with the same token: the `Idempotency-Key`, and the scope asked for. */
  name: string;
}

/** @throws OAuthError invalid_request where the key is none */
export function attemptOf(token: string, { scope }: TokenRequest, key: string | undefined): Attempt | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidKey();
  }
  return { token, name: JSON.stringify([key, scope]) };
}

export function invalidKey(): OAuthError {
  return new OAuthError('invalid_request', 'The Idempotency-Key takes 1 to 255 visible ASCII characters.');
}

/**
 * Keeps an answer of the refresh grant for a minute, for an app that never got it and asks by the same `Idempotency-Key`.
 * It is sealed with a key that only the presented token gives, so the database alone tells nobody.
 */
@Injectable()
export class SealedAnswers {
  constructor(private readonly transactions: Transactions) {}

  seal(attempt: Attempt, answer: TokenResponse): SealedAnswer {
    return {
      digest: digestOf(attempt),
      answer: boxOf(attempt).seal(JSON.stringify(answer)),
      expiresAt: new Date(Date.now() + KEPT),
    };
  }

  /** Looks in a transaction of its own, so that what it finds is on the disk before anybody is told of it again. */
  async find(attempt: Attempt): Promise<TokenResponse | undefined> {
    const kept = { digest: digestOf(attempt), expiresAt: MoreThan(new Date()) };
    const found = await this.transactions.run((tx) => tx.findOneBy(SealedAnswer, kept));
    const answer = found && boxOf(attempt).open(found.answer);
    return answer == null ? undefined : (JSON.parse(answer) as TokenResponse);
  }
}

function digestOf({ token, name }: Attempt): string {
  return digest(`${token} ${name}`);
}

function boxOf({ token }: Attempt): SealedBox {
  return new SealedBox([token], 'refresh-answer');
}
