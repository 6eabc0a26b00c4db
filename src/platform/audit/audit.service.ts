import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { generateId } from '../database/ids.js';
import { getClientIp } from '../http/client-address.js';
import { AuditEvent } from './audit-event.entity.js';
import { isRunningAsOperator } from './operator-context.js';

type AuditEntry = Pick<AuditEvent, 'type'> &
  Partial<Omit<AuditEvent, 'id' | 'occurredAt' | 'ipAddress' | 'byOperator'>>;

/** Records audit events, in the transaction of the change. */
@Injectable()
export class AuditService {
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
