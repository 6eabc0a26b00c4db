import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { generateSigningKey } from './generate-signing-key.js';
import { SIGNING_ALGORITHMS, SigningKey } from './signing-key.entity.js';

const HOUR_MS = 3600_000;

/** Milliseconds after which keys are replaced by themselves: ninety days. */
const KEY_MAX_AGE_MS = 90 * 24 * HOUR_MS;

/** Seconds for which id tokens are good. */
export const ID_TOKEN_LIFETIME_SECONDS = 3600;

/**
 * Replaces the keys that sign tokens. New ones are published as soon as they are stored, and sign once every process knows
 * them; those before them stay until the last token that they signed has run out.
 */
@Injectable()
export class KeyRotationService {
  private readonly logger = new Logger(KeyRotationService.name);
  private readonly cipher: AesGcmCipher;
  /** Milliseconds from a new key to the end of the last token of the one before, with an hour for those who were late to see it. */
  private readonly retentionMs: number;

  constructor(
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'signing-keys');
    this.retentionMs = Math.max(settings.ACCESS_TOKEN_LIFETIME, ID_TOKEN_LIFETIME_SECONDS) * 1000 + HOUR_MS;
  }

  /** Where the first `MASTER_SECRET` is a new one, seals under it what the ones behind it have sealed. */
  async reencryptKeys(): Promise<void> {
    const count = await this.transactions.run(async (tx) => {
      const old = (await tx.find(SigningKey)).filter(({ encryptedPrivateKey }) =>
        this.cipher.needsReencryption(encryptedPrivateKey),
      );
      for (const { kid, encryptedPrivateKey } of old) {
        await tx.update(
          SigningKey,
          { kid },
          { encryptedPrivateKey: this.cipher.encrypt(this.cipher.decrypt(encryptedPrivateKey)!) },
        );
      }
      return old.length;
    });
    if (count > 0) this.logger.log(`Sealed ${count} signing keys under the first MASTER_SECRET.`);
  }

  /**
   * Stores a new key of each algorithm.
   * @param now for keys that are in wrong hands: takes away those before at once, and so ends every token that they signed
   */
  async rotate({ now = false } = {}): Promise<SigningKey[]> {
    const made = await Promise.all(SIGNING_ALGORITHMS.map((algorithm) => generateSigningKey(algorithm, this.cipher)));
    return this.transactions.run(async (tx) => {
      if (now) await this.retire(tx, await tx.find(SigningKey));
      const keys = made.map((key) => ({ ...key, createdAt: new Date() })); // making them took its time
      await tx.insert(SigningKey, keys);
      await this.audit.record(tx, { type: 'keys.rotated', detail: describeKeys(keys) });
      return keys;
    });
  }

  /** Takes away the keys that no living token needs, and replaces those that are old. */
  async retireAndRotateDueKeys(): Promise<void> {
    const newest = await this.transactions.run(async (tx) => {
      const keys = await tx.find(SigningKey, { order: { createdAt: 'DESC', kid: 'ASC' } });
      const gone = keys.filter((key) => this.isRetirable(key, keys));
      if (gone.length > 0) await this.retire(tx, gone);
      return keys[0]!;
    });
    if (newest.createdAt.getTime() < Date.now() - KEY_MAX_AGE_MS) await this.rotate();
  }

  private async retire(tx: EntityManager, keys: SigningKey[]): Promise<void> {
    await tx.delete(SigningKey, { kid: In(keys.map(({ kid }) => kid)) });
    await this.audit.record(tx, { type: 'keys.retired', detail: describeKeys(keys) });
  }

  /** Whether a newer key has signed in its place for so long that no token of it is left. */
  private isRetirable(key: SigningKey, keys: SigningKey[]): boolean {
    const before = Date.now() - this.retentionMs;
    return keys.some(
      ({ algorithm, createdAt }) =>
        algorithm === key.algorithm && createdAt > key.createdAt && createdAt.getTime() < before,
    );
  }
}

function describeKeys(keys: SigningKey[]): string {
  return keys.map(({ algorithm, kid }) => `${algorithm} ${kid}`).join(', ');
}
