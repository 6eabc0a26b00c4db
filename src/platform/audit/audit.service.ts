import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import type { EntityManager } from 'typeorm';
import { generateId } from '../database/ids.js';
import { getCurrentRequest } from '../logging/request-context.js';
import { AuditEvent } from './audit-event.entity.js';

type AuditEntry = Pick<AuditEvent, 'type'> & Partial<Omit<AuditEvent, 'id' | 'occurredAt' | 'ipAddress'>>;

/** Keeps what happened, in the transaction in which it happened. */
@Injectable()
export class AuditService {
  async record(tx: EntityManager, happening: AuditEntry): Promise<void> {
    await tx.insert(AuditEvent, {
      id: generateId('evt'),
      occurredAt: new Date(),
      ipAddress: getClientIp(),
      ...happening,
    });
  }
}

/** Where a proxy is trusted with more than it adds itself, what stands for an address can be anything, and is then not kept. */
function getClientIp(): string | null {
  const [address = ''] = getCurrentRequest()?.ip?.split('%', 1) ?? []; // without the zone of a link-local one
  return isIP(address) ? address : null;
}
