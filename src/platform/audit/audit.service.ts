import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import type { EntityManager } from 'typeorm';
import { generateId } from '../database/ids.js';
import { getCurrentRequest } from '../logging/request-context.js';
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

/**
 * Returns null if the address is not an IP address: a client can send any text if the service
 * trusts too many proxies.
 */
function getClientIp(): string | null {
  // without the zone of a link-local address
  const [address = ''] = getCurrentRequest()?.ip?.split('%', 1) ?? [];
  return isIP(address) ? address : null;
}
