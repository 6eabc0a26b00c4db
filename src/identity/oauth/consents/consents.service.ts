import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { generateId } from '../../../platform/database/ids.js';
import type { Scope } from '../../scopes/scopes.js';
import { Consent } from './consent.entity.js';

/** Who allows whom. */
export interface ConsentKey {
  accountId: string;
  appId: string;
}

/** What people have allowed apps. Whoever writes here holds the person's account, so that one thing happens at a time. */
@Injectable()
export class ConsentsService {
  constructor(
    @InjectRepository(Consent) private readonly consents: Repository<Consent>,
    private readonly audit: AuditService,
  ) {}

  /** What this person allows this app now, if anything. */
  async find({ accountId, appId }: ConsentKey, tx: EntityManager = this.consents.manager): Promise<Consent | null> {
    return tx.findOneBy(Consent, { accountId, appId, withdrawnAt: IsNull() });
  }

  /** All that a person allows now, with the apps. */
  async findByAccount(accountId: string): Promise<Consent[]> {
    return this.consents.find({
      where: { accountId, withdrawnAt: IsNull() },
      relations: { app: true },
      order: { updatedAt: 'DESC', id: 'DESC' },
    });
  }

  /**
   * Keeps an answer: of what was asked, what was left out is allowed no more; what was not asked stays as it was.
   * @returns what is allowed now, if anything
   */
  async recordDecision(
    tx: EntityManager,
    parties: ConsentKey,
    asked: Scope[],
    granted: Scope[],
  ): Promise<Consent | null> {
    const now = new Date();
    const before = await this.find(parties, tx);
    const kept = before?.scopes.filter((scope) => !asked.includes(scope)) ?? [];
    const scopes = [...kept, ...granted];
    if (scopes.length === 0) {
      await this.withdraw(tx, parties);
      return null;
    }
    if (before && hasSameScopes(before.scopes, scopes)) {
      await tx.update(Consent, { id: before.id }, { updatedAt: now });
      return { ...before, updatedAt: now };
    }
    await this.audit.record(tx, { type: 'consent.given', ...parties, detail: scopes.join(' ') });
    if (before) {
      await tx.update(Consent, { id: before.id }, { scopes, updatedAt: now });
      return { ...before, scopes, updatedAt: now };
    }
    const consent = { id: generateId('cns'), ...parties, scopes, createdAt: now, updatedAt: now, withdrawnAt: null };
    await tx.insert(Consent, consent);
    return consent as Consent;
  }

  /** From now on the person is asked again. @returns whether they had allowed anything */
  async withdraw(tx: EntityManager, parties: ConsentKey): Promise<boolean> {
    const { affected } = await tx.update(Consent, { ...parties, withdrawnAt: IsNull() }, { withdrawnAt: new Date() });
    if (affected) await this.audit.record(tx, { type: 'consent.withdrawn', ...parties });
    return affected === 1;
  }
}

/** Whether all of these scopes are allowed. */
export function coversScopes(consent: Consent | null, scopes: Scope[]): consent is Consent {
  return consent !== null && scopes.every((scope) => consent.scopes.includes(scope));
}

function hasSameScopes(some: Scope[], others: Scope[]): boolean {
  return some.length === others.length && some.every((scope) => others.includes(scope));
}
