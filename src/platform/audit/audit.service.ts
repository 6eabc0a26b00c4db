import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { generateId } from '../database/ids.js';
import { getClientIp } from '../http/client-ip.js';
import { AuditEvent } from './audit-event.entity.js';

type AuditEntry = Pick<AuditEvent, 'type'> & Partial<Omit<AuditEvent, 'id' | 'occurredAt' | 'ipAddress'>>;

/** Records audit events, in the transaction of the change. */
@Injectable()
export class AuditService {
  async record(tx: EntityManager, entry: AuditEntry): Promise<void> {
    await tx.insert(AuditEvent, {
      id: generateId('evt'),
      occurredAt: new Date(),
      ipAddress: getClientIp(),
      ...entry,
    });
  }
}
