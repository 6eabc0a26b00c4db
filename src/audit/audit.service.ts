import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';
import type { EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import { currentRequest } from '../http/current-request.js';
import { AuditEvent } from './audit-event.entity.js';

type Happening = Pick<AuditEvent, 'type'> & Partial<Omit<AuditEvent, 'id' | 'at' | 'fromAddress'>>;

/** Keeps what happened, in the transaction in which it happened. */
@Injectable()
export class Audit {
  async record(tx: EntityManager, happening: Happening): Promise<void> {
    await tx.insert(AuditEvent, { id: newId('evt'), at: new Date(), fromAddress: addressOfCaller(), ...happening });
  }
}

/** Where a proxy is trusted with more than it adds itself, what stands for an address can be anything, and is then not kept. */
function addressOfCaller(): string | null {
  const [address = ''] = currentRequest()?.ip?.split('%', 1) ?? []; // without the zone of a link-local one
  return isIP(address) ? address : null;
}
