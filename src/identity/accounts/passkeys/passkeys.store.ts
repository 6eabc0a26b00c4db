import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { lockRow } from '../../../platform/database/lock-row.js';
import type { ValidChallenge } from '../sign-in/passkey-challenges.service.js';
import { Passkey, UsedPasskeyChallenge } from './passkey.entity.js';

/** Values of a passkey that change with each sign-in. */
export type PasskeyUse = Pick<Passkey, 'counter' | 'backedUp'>;

/** Result of storing a sign-in with a passkey. */
export type PasskeyUseOutcome = 'recorded' | 'removed' | 'counterNotIncreased';

/** Reads and writes passkeys and used challenges. */
@Injectable()
export class PasskeysStore {
  constructor(@InjectRepository(Passkey) private readonly passkeys: Repository<Passkey>) {}

  /** Returns the passkeys of an account, the oldest first. */
  async list(accountId: string, tx: EntityManager = this.passkeys.manager): Promise<Passkey[]> {
    return tx.find(Passkey, { where: { accountId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Returns the passkey with this credential id and its account, or null. */
  async findByCredentialId(credentialId: string): Promise<Passkey | null> {
    return this.passkeys.findOne({ where: { credentialId }, relations: { account: true } });
  }

  /** Inserts a passkey. @returns whether its credential id was free */
  async insert(tx: EntityManager, passkey: Omit<Passkey, 'account'>): Promise<boolean> {
    await tx.createQueryBuilder().insert().into(Passkey).values(passkey).orIgnore().execute();
    return tx.existsBy(Passkey, { id: passkey.id });
  }

  /**
   * Stores a sign-in with a passkey, unless it was removed or its counter did not increase. A
   * device without a counter always sends 0 (WebAuthn §6.1.1).
   */
  async recordUse(tx: EntityManager, id: string, { counter, backedUp }: PasskeyUse): Promise<PasskeyUseOutcome> {
    const passkey = await lockRow(tx, Passkey, { where: { id } });
    if (!passkey) return 'removed';
    const hasCounter = counter > 0 || passkey.counter > 0;
    if (hasCounter && counter <= passkey.counter) return 'counterNotIncreased';
    await tx.update(Passkey, { id }, { counter, backedUp, lastUsedAt: new Date() });
    return 'recorded';
  }

  /** Deletes a passkey of an account. @returns the deleted passkey, or null */
  async delete(tx: EntityManager, accountId: string, id: string): Promise<Passkey | null> {
    const passkey = await tx.findOneBy(Passkey, { accountId, id });
    if (passkey) await tx.delete(Passkey, { id });
    return passkey;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(Passkey, { accountId });
  }

  /** Marks a challenge as used. @returns whether it was unused */
  async consumeChallenge(tx: EntityManager, { digest, expiresAt }: ValidChallenge): Promise<boolean> {
    const unused = { digest, expiresAt, usedAt: null };
    await tx.createQueryBuilder().insert().into(UsedPasskeyChallenge).values(unused).orIgnore().execute();
    const usedAt = new Date();
    const { affected } = await tx.update(UsedPasskeyChallenge, { digest, usedAt: IsNull() }, { usedAt });
    return affected === 1;
  }
}
