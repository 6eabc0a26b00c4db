import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { generateSigningKey, SigningKeysService } from './signing-keys.service.js';
import { SIGNING_ALGORITHMS, SigningKey } from './signing-key.entity.js';

const HOUR_MS = 3600_000;

/** Milliseconds after which a key is replaced: ninety days. */
const KEY_MAX_AGE_MS = 90 * 24 * HOUR_MS;

/**
 * Replaces signing keys. A new key is published as soon as it is stored, and signs once every
 * process knows it. The key before it stays until the last token that it signed has expired.
 */
@Injectable()
export class KeyRotationService {
  private readonly logger = new EventLogger(KeyRotationService.name, { signing_keys_reencrypted: 'info' });
  private readonly cipher: AesGcmCipher;

  constructor(
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly signingKeys: SigningKeysService,
    settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'signing-keys');
  }

  /**
   * Encrypts the private keys with the first `MASTER_SECRET` that another secret of the list
   * encrypted.
   */
  async reencryptKeys(): Promise<void> {
    const count = await this.transactions.run(async (tx) => {
      const outdated = (await tx.find(SigningKey)).filter(({ encryptedPrivateKey }) =>
        this.cipher.needsReencryption(encryptedPrivateKey),
      );
      for (const { kid, encryptedPrivateKey } of outdated) {
        const privateKey = this.cipher.decrypt(encryptedPrivateKey)!;
        await tx.update(SigningKey, { kid }, { encryptedPrivateKey: this.cipher.encrypt(privateKey) });
      }
      return outdated.length;
    });
    if (count === 0) return;
    this.logger.log('signing_keys_reencrypted', 'The signing keys are now encrypted with the first MASTER_SECRET.', {
      count,
    });
  }

  /**
   * Stores a new key of each algorithm.
   * @param retireExisting deletes the existing keys at once, which invalidates every token that
   * they signed: for leaked keys
   */
  async rotate({ retireExisting = false } = {}): Promise<SigningKey[]> {
    const generated = await Promise.all(
      SIGNING_ALGORITHMS.map((algorithm) => generateSigningKey(algorithm, this.cipher)),
    );
    return this.transactions.run(async (tx) => {
      if (retireExisting) await this.retire(tx, await tx.find(SigningKey));
      // generation is slow
      const keys = generated.map((key) => ({ ...key, createdAt: new Date() }));
      await tx.insert(SigningKey, keys);
      await this.audit.record(tx, { type: 'keys.rotated', detail: describeKeys(keys) });
      return keys;
    });
  }

  /**
   * Deletes the keys that no valid token needs, and rotates when the newest key reaches its maximum
   * age.
   * @param now milliseconds since 1970, from `ClockService.startCleanUp`
   */
  async retireAndRotateDueKeys(now: number): Promise<void> {
    const newest = await this.transactions.run(async (tx) => {
      const keys = await tx.find(SigningKey, { order: { createdAt: 'DESC', kid: 'ASC' } });
      const retirable = keys.filter((key) => this.isRetirable(key, keys, now));
      if (retirable.length > 0) await this.retire(tx, retirable);
      return keys[0]!;
    });
    if (newest.createdAt.getTime() < now - KEY_MAX_AGE_MS) await this.rotate();
  }

  private async retire(tx: EntityManager, keys: SigningKey[]): Promise<void> {
    await tx.delete(SigningKey, { kid: In(keys.map(({ kid }) => kid)) });
    await this.audit.record(tx, { type: 'keys.retired', detail: describeKeys(keys) });
  }

  /**
   * Whether a newer key has signed in its place for longer than any token lives, plus an hour for
   * the replacement.
   */
  private isRetirable(key: SigningKey, keys: SigningKey[], now: number): boolean {
    const replacedBeforeMs = now - this.signingKeys.longestTokenLifetimeSeconds * 1000 - HOUR_MS;
    return keys.some(
      ({ algorithm, createdAt }) =>
        algorithm === key.algorithm && createdAt > key.createdAt && createdAt.getTime() < replacedBeforeMs,
    );
  }
}

function describeKeys(keys: SigningKey[]): string {
  return keys.map(({ algorithm, kid }) => `${algorithm} ${kid}`).join(', ');
}
