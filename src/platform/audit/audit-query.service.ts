import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThanOrEqual, type Repository } from 'typeorm';
import { type Page, findPage } from '../database/keyset-pagination.js';
import { AuditEvent } from './audit-event.entity.js';

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
