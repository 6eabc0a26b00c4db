import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { type EntityManager, In, MoreThan } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { deriveKey } from '../../../platform/crypto/derive-key.js';
import { normalizeLogin } from '../normalize-login.js';
import { ReservedLogin } from './reserved-login.entity.js';

/** Time for which the logins of a deleted account stay reserved: 30 days. */
const RESERVATION_MS = 30 * 24 * 3600_000;

/**
 * Reserves the username and the e-mail address of a deleted account, so that another person cannot
 * take over its identity at once. The database contains only keyed digests, so that a copy of it
 * does not reveal who had an account.
 */
@Injectable()
export class ReservedLoginsService {
  /** A key for each master secret. The first one computes the digests of new reservations. */
  private readonly keys: readonly Buffer[];

  constructor(settings: Settings) {
    this.keys = settings.MASTER_SECRET.map((secret) => deriveKey(secret, 'reserved-logins'));
  }

  /** Reserves usernames and e-mail addresses for 30 days. */
  async reserve(tx: EntityManager, logins: string[]): Promise<void> {
    const expiresAt = new Date(Date.now() + RESERVATION_MS);
    const rows = logins.map((login) => ({ digest: computeLoginDigest(this.keys[0]!, login), expiresAt }));
    await tx.upsert(ReservedLogin, rows, ['digest']);
  }

  /** Whether a deleted account had this username or e-mail address in the last 30 days. */
  async isReserved(tx: EntityManager, login: string): Promise<boolean> {
    const digests = this.keys.map((key) => computeLoginDigest(key, login));
    return tx.existsBy(ReservedLogin, { digest: In(digests), expiresAt: MoreThan(new Date()) });
  }
}

function computeLoginDigest(key: Buffer, login: string): string {
  return createHmac('sha256', key).update(normalizeLogin(login)).digest('base64url');
}
