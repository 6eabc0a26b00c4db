import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { Settings } from '../config/settings.js';
import { SealedBox } from '../crypto/sealed-box.js';
import { Transactions } from '../database/transactions.js';
import { newSigningKey } from './new-signing-key.js';
import { SIGNING_ALGORITHMS, SigningKey } from './signing-key.entity.js';

const HOUR = 3600_000;

/** Milliseconds after which keys are replaced by themselves: ninety days. */
const OLD = 90 * 24 * HOUR;

/** Seconds for which id tokens are good. */
export const ID_TOKEN_LIFETIME = 3600;

/**
 * Replaces the keys that sign tokens. New ones are published as soon as they are stored, and sign once every process knows
 * them; those before them stay until the last token that they signed has run out.
 */
@Injectable()
export class KeyRotation {
  private readonly logger = new Logger(KeyRotation.name);
  private readonly box: SealedBox;
  /** Milliseconds from a new key to the end of the last token of the one before, with an hour for those who were late to see it. */
  private readonly kept: number;

  constructor(
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    settings: Settings,
  ) {
    this.box = new SealedBox(settings.MASTER_SECRET, 'signing-keys');
    this.kept = Math.max(settings.ACCESS_TOKEN_LIFETIME, ID_TOKEN_LIFETIME) * 1000 + HOUR;
  }

  /** Where the first `MASTER_SECRET` is a new one, seals under it what the ones behind it have sealed. */
  async sealAgain(): Promise<void> {
    const count = await this.transactions.run(async (tx) => {
      const old = (await tx.find(SigningKey)).filter(({ sealedPrivateKey }) => this.box.isOld(sealedPrivateKey));
      for (const { kid, sealedPrivateKey } of old) {
        await tx.update(SigningKey, { kid }, { sealedPrivateKey: this.box.seal(this.box.open(sealedPrivateKey)!) });
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
    const made = await Promise.all(SIGNING_ALGORITHMS.map((algorithm) => newSigningKey(algorithm, this.box)));
    return this.transactions.run(async (tx) => {
      if (now) await this.takeAway(tx, await tx.find(SigningKey));
      const keys = made.map((key) => ({ ...key, createdAt: new Date() })); // making them took its time
      await tx.insert(SigningKey, keys);
      await this.audit.record(tx, { type: 'keys.rotated', detail: named(keys) });
      return keys;
    });
  }

  /** Takes away the keys that no living token needs, and replaces those that are old. */
  async lookAfter(): Promise<void> {
    const newest = await this.transactions.run(async (tx) => {
      const keys = await tx.find(SigningKey, { order: { createdAt: 'DESC', kid: 'ASC' } });
      const gone = keys.filter((key) => this.isOver(key, keys));
      if (gone.length > 0) await this.takeAway(tx, gone);
      return keys[0]!;
    });
    if (newest.createdAt.getTime() < Date.now() - OLD) await this.rotate();
  }

  private async takeAway(tx: EntityManager, keys: SigningKey[]): Promise<void> {
    await tx.delete(SigningKey, { kid: In(keys.map(({ kid }) => kid)) });
    await this.audit.record(tx, { type: 'keys.retired', detail: named(keys) });
  }

  /** Whether a newer key has signed in its place for so long that no token of it is left. */
  private isOver(key: SigningKey, keys: SigningKey[]): boolean {
    const before = Date.now() - this.kept;
    return keys.some(
      ({ algorithm, createdAt }) =>
        algorithm === key.algorithm && createdAt > key.createdAt && createdAt.getTime() < before,
    );
  }
}

function named(keys: SigningKey[]): string {
  return keys.map(({ algorithm, kid }) => `${algorithm} ${kid}`).join(', ');
}
