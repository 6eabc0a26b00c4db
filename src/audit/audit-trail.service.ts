import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThanOrEqual, type Repository } from 'typeorm';
import { type Page, pageOf } from '../http/paging.js';
import { AuditEvent } from './audit-event.entity.js';

/** Which happenings are meant: those that fit all that is said. */
export interface Trail {
  accountId?: string | undefined;
  appId?: string | undefined;
  since?: Date | undefined;
}

/** Reads what was kept, the newest first. */
@Injectable()
export class AuditTrail {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  list({ accountId, appId, since }: Trail, page: { limit: number; cursor?: string | null }): Promise<Page<AuditEvent>> {
    const where = {
      ...(accountId && { accountId }),
      ...(appId && { appId }),
      ...(since && { at: MoreThanOrEqual(since) }),
    };
    return pageOf(this.events, { where, by: 'at', direction: 'DESC' }, page);
  }
}
