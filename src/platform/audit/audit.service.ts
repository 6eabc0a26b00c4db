import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThanOrEqual, type Repository } from 'typeorm';
import { generateId } from '../database/ids.js';
import { getClientIp } from '../http/client-address.js';
import { AuditEvent } from './audit-event.entity.js';
import { InjectRepository } from '@nestjs/typeorm';
import { type Page, findPage } from '../database/keyset-pagination.js';
import { AsyncLocalStorage } from 'node:async_hooks';

type AuditEntry = Pick<AuditEvent, 'type'> & Partial<Omit<AuditEvent, 'id' | 'occurredAt' | 'byOperator'>>;

/** Records audit events, in the transaction of the change. */
@Injectable()
export class AuditService {
  /** @param entry the address of the client is added, unless the entry has one or null */
  async record(tx: EntityManager, entry: AuditEntry): Promise<void> {
    await tx.insert(AuditEvent, {
      id: generateId('evt'),
      occurredAt: new Date(),
      ipAddress: getClientIp(),
      byOperator: isRunningAsOperator(),
      ...entry,
    });
  }

  /**
   * Removes the details and IP addresses from the events of a deleted account. The database rejects
   * this for every other account.
   */
  async pseudonymize(tx: EntityManager, accountId: string): Promise<void> {
    await tx.update(AuditEvent, { accountId }, { detail: null, ipAddress: null });
  }
}

/** Filters of the audit log. An event must match all of them. */
export interface AuditFilter {
  accountId?: string | undefined;
  appId?: string | undefined;
  since?: Date | undefined;
}

/** Reads the audit log, newest events first. */
@Injectable()
export class AuditQueryService {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  /** Returns all events of an account, the oldest first. */
  async listAll(accountId: string): Promise<AuditEvent[]> {
    return this.events.find({ where: { accountId }, order: { occurredAt: 'ASC', id: 'ASC' } });
  }

  list(
    { accountId, appId, since }: AuditFilter,
    page: { limit: number; cursor?: string | null },
  ): Promise<Page<AuditEvent>> {
    const where = {
      ...(accountId && { accountId }),
      ...(appId && { appId }),
      ...(since && { occurredAt: MoreThanOrEqual(since) }),
    };
    return findPage(this.events, { where, sortBy: 'occurredAt', direction: 'DESC' }, page);
  }
}

const operatorStorage = new AsyncLocalStorage<true>();

/** Runs the work of a command. Its audit events name the operator as the cause. */
export function runAsOperator<T>(work: () => T): T {
  return operatorStorage.run(true, work);
}

/** Whether a command causes the current change, and not a request or a scheduled task. */
export function isRunningAsOperator(): boolean {
  return operatorStorage.getStore() === true;
}
