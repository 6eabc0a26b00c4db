import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { computeDigest } from '../../platform/crypto/opaque-secret.js';
import { ReservedConnections } from '../../platform/database/reserved-connections.js';
import { IdempotentResponse } from '../../platform/idempotency/idempotent-response.entity.js';
import type { App } from '../apps/app.entity.js';
import { OAuthError } from './oauth-error.js';
import type { TokenRequestDto, TokenResponse } from './token.dto.js';

/** Milliseconds for which a response can be repeated. A scheduled task deletes it later. */
const RETENTION_MS = 60_000;

/** Identifies a refresh request that a client may repeat. */
export interface IdempotencyKey {
  /** The presented token. It decrypts the stored response. */
  refreshToken: string;
  /**
   * The digest of the token, the header `Idempotency-Key`, the requested scope and resource, and
   * the key of the DPoP proof, which distinguish requests with the same token.
   */
  digest: string;
}

/**
 * Minimum length of the key of a public client. The key and the used token return the next token,
 * and a confidential client proves itself with its secret.
 */
const MIN_PUBLIC_KEY_LENGTH = 16;

/** @throws OAuthError `invalid_request` for a malformed key */
export function parseIdempotencyKey(
  { clientType }: Pick<App, 'clientType'>,
  { refresh_token: refreshToken = '', scope, resource, jkt }: TokenRequestDto & { jkt?: string | undefined },
  key: string | undefined,
): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  const minLength = clientType === 'public' ? MIN_PUBLIC_KEY_LENGTH : 1;
  if (key.length < minLength || !/^[\x21-\x7e]{1,255}$/.test(key)) throw createInvalidKeyError(minLength);
  return { refreshToken, digest: computeDigest(`${refreshToken} ${JSON.stringify([key, scope, resource, jkt])}`) };
}

/** Creates the error for a malformed idempotency key. */
export function createInvalidKeyError(minLength = 1): OAuthError {
  return new OAuthError(
    'invalid_request',
    `Idempotency-Key must have ${minLength} to 255 ASCII characters, without spaces and control characters.`,
  );
}

/**
 * Stores responses of the refresh grant for a minute, for a client that did not receive one and
 * repeats its request. A response is encrypted with a key that is derived from the presented token,
 * so the database alone reveals nothing.
 */
@Injectable()
export class RefreshReplayStore {
  constructor(private readonly reserved: ReservedConnections) {}

  /** Returns the row of a response. */
  encrypt(key: IdempotencyKey, response: TokenResponse): IdempotentResponse {
    return {
      digest: key.digest,
      encryptedResponse: createCipher(key).encrypt(JSON.stringify(response)),
      expiresAt: new Date(Date.now() + RETENTION_MS),
    };
  }

  /** Reads a response in a transaction, so that it is durable before it is sent again. */
  async find(key: IdempotencyKey): Promise<TokenResponse | undefined> {
    const where = { digest: key.digest, expiresAt: MoreThan(new Date()) };
    const row = await this.reserved.transactions.run((tx) => tx.findOneBy(IdempotentResponse, where));
    const response = row && createCipher(key).decrypt(row.encryptedResponse);
    return response == null ? undefined : (JSON.parse(response) as TokenResponse);
  }
}

/** Lets a stored response be repeated for its whole lifetime from now on. */
export async function extendReplay(tx: EntityManager, { digest }: IdempotencyKey): Promise<void> {
  await tx.update(IdempotentResponse, { digest }, { expiresAt: new Date(Date.now() + RETENTION_MS) });
}

function createCipher({ refreshToken }: IdempotencyKey): AesGcmCipher {
  return new AesGcmCipher([refreshToken], 'refresh-answer');
}
