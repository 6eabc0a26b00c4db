import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../database/ids.js';
import { currentRequest } from '../http/current-request.js';
import { AuditEvent } from './audit-event.entity.js';

type Happening = Pick<AuditEvent, 'type'> & Partial<Omit<AuditEvent, 'id' | 'at' | 'fromAddress'>>;

/** Keeps what happened, in the transaction in which it happened. */
@Injectable()
export class Audit {
  async record(tx: EntityManager, happening: Happening): Promise<void> {
    const fromAddress = currentRequest()?.ip ?? null;
    await tx.insert(AuditEvent, { id: newId('evt'), at: new Date(), fromAddress, ...happening });
  }
}
