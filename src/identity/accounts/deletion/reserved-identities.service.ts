import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { type EntityManager, In, MoreThan } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { deriveKey } from '../../../platform/crypto/derive-key.js';
import { normalizeUsernameOrEmail } from '../account.entity.js';
import { ReservedIdentity } from './reserved-identity.entity.js';

/** Time for which the username and e-mail address of a deleted account stay reserved: 30 days. */
const RESERVATION_MS = 30 * 24 * 3600_000;

/**
 * Reserves the username and the e-mail address of a deleted account, so that another person cannot
 * take over its identity at once, and the old address of an account whose owner can take it back.
 * The database contains only keyed digests, so that a copy of it
 * does not reveal who had an account.
 */
@Injectable()
export class ReservedIdentitiesService {
  /** A key for each master secret. The first one computes the digests of new reservations. */
  private readonly keys: readonly Buffer[];

  constructor(settings: Settings) {
    this.keys = settings.MASTER_SECRET.map((secret) => deriveKey(secret, 'reserved-logins'));
  }

  /** Reserves usernames and e-mail addresses. */
  async reserve(tx: EntityManager, identities: string[], durationMs = RESERVATION_MS): Promise<void> {
    const expiresAt = new Date(Date.now() + durationMs);
    const rows = identities.map((identity) => ({ digest: computeIdentityDigest(this.keys[0]!, identity), expiresAt }));
    await tx.upsert(ReservedIdentity, rows, ['digest']);
  }

  /** Whether no account can take this username or e-mail address now. */
  async isReserved(tx: EntityManager, usernameOrEmail: string): Promise<boolean> {
    const digests = this.keys.map((key) => computeIdentityDigest(key, usernameOrEmail));
    return tx.existsBy(ReservedIdentity, { digest: In(digests), expiresAt: MoreThan(new Date()) });
  }
}

function computeIdentityDigest(key: Buffer, usernameOrEmail: string): string {
  return createHmac('sha256', key).update(normalizeUsernameOrEmail(usernameOrEmail)).digest('base64url');
}
