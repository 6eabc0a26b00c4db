import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { generateId } from '../../../platform/database/ids.js';
import type { Scope } from '../../scopes/scopes.js';
import { Consent } from './consent.entity.js';

/** Account and app of a consent. */
export interface AccountAndApp {
  accountId: string;
  appId: string;
}

/** The name and redirect host of an app, as the consent page shows them. */
export interface ShownApp {
  name: string;
  host: string;
}

/** Reads and changes consents. Callers lock the account before a change. */
@Injectable()
export class ConsentsService {
  constructor(
    @InjectRepository(Consent) private readonly consents: Repository<Consent>,
    private readonly audit: AuditService,
  ) {}

  /** Returns the current consent of an account to an app, or null. */
  async find({ accountId, appId }: AccountAndApp, tx: EntityManager = this.consents.manager): Promise<Consent | null> {
    return tx.findOneBy(Consent, { accountId, appId, withdrawnAt: IsNull() });
  }

  /** Returns the current consents of an account with their apps, the last updated first. */
  async findByAccount(accountId: string): Promise<Consent[]> {
    return this.consents.find({
      where: { accountId, withdrawnAt: IsNull() },
      relations: { app: true },
      order: { updatedAt: 'DESC', id: 'DESC' },
    });
  }

  /**
   * Records a decision: a requested scope that was not granted is withdrawn, other scopes stay.
   * @param shown what the person saw of the app
   * @returns the consent after the decision, or null if it has no scopes
   */
  async recordDecision(
    tx: EntityManager,
    key: AccountAndApp,
    requested: Scope[],
    granted: Scope[],
    shown?: ShownApp,
  ): Promise<Consent | null> {
    const now = new Date();
    const current = await this.find(key, tx);
    const otherScopes = current?.scopes.filter((scope) => !requested.includes(scope)) ?? [];
    const scopes = [...otherScopes, ...granted];
    if (scopes.length === 0) {
      await this.withdraw(tx, key);
      return null;
    }
    const seen = {
      seenNames: moveToEnd(current?.seenNames ?? [], shown?.name),
      seenHosts: moveToEnd(current?.seenHosts ?? [], shown?.host),
    };
    const requestedScopes = new Set([...(current?.leftOutScopes ?? []), ...requested]);
    const leftOutScopes = [...requestedScopes].filter((scope) => !scopes.includes(scope));
    const allowedAt = Object.fromEntries(
      scopes.map((scope) => [scope, current?.allowedAt[scope] ?? now.getTime()]),
    ) as Consent['allowedAt'];
    const values = { scopes, allowedAt, leftOutScopes, ...seen, updatedAt: now };
    if (!current || !hasSameScopes(current.scopes, scopes)) {
      await this.audit.record(tx, { type: 'consent.given', ...key, detail: scopes.join(' ') });
    }
    if (current) {
      await tx.update(Consent, { id: current.id }, values);
      return { ...current, ...values };
    }
    const consent = { id: generateId('cns'), ...key, ...values, createdAt: now, withdrawnAt: null };
    await tx.insert(Consent, consent);
    return consent as Consent;
  }

  /** Whether the account ever consented to the app. */
  async wasGiven(tx: EntityManager, key: AccountAndApp): Promise<boolean> {
    return tx.existsBy(Consent, key);
  }

  /** Whether any account ever consented to the app. */
  async wasEverGiven(appId: string): Promise<boolean> {
    return this.consents.existsBy({ appId });
  }

  /**
   * Returns the number of people who allow each app to act for them. Apps without any are missing.
   */
  async countPeople(appIds: string[]): Promise<Map<string, number>> {
    const rows = await this.consents
      .createQueryBuilder('consent')
      .select(['consent.appId AS "appId"', 'count(*) AS "count"'])
      .where({ appId: In(appIds), withdrawnAt: IsNull() })
      .groupBy('consent.appId')
      .getRawMany<{ appId: string; count: string | number }>();
    return new Map(rows.map(({ appId, count }) => [appId, Number(count)]));
  }

  /** Withdraws a consent. @returns whether there was one */
  async withdraw(tx: EntityManager, key: AccountAndApp): Promise<boolean> {
    const { affected } = await tx.update(Consent, { ...key, withdrawnAt: IsNull() }, { withdrawnAt: new Date() });
    if (affected) await this.audit.record(tx, { type: 'consent.withdrawn', ...key });
    return affected === 1;
  }

  async withdrawAll(tx: EntityManager, accountId: string): Promise<void> {
    const consents = await tx.findBy(Consent, { accountId, withdrawnAt: IsNull() });
    for (const { appId } of consents) await this.withdraw(tx, { accountId, appId });
  }
}

/** Whether the consent contains all scopes. */
export function coversScopes(consent: Consent | null, scopes: Scope[]): consent is Consent {
  return consent !== null && scopes.every((scope) => consent.scopes.includes(scope));
}

/** Whether the person saw the name and the redirect host when allowing the app. */
export function hasSeen({ seenNames, seenHosts }: Consent, { name, host }: ShownApp): boolean {
  return seenNames.includes(name) && seenHosts.includes(host);
}

function moveToEnd(values: string[], last: string | undefined): string[] {
  return last === undefined ? values : [...values.filter((value) => value !== last), last];
}

function hasSameScopes(scopes: Scope[], others: Scope[]): boolean {
  return scopes.length === others.length && scopes.every((scope) => others.includes(scope));
}
