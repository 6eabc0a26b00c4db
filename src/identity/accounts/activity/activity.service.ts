import { Injectable } from '@nestjs/common';
import { type AccountApp, AccountAppsRegistry } from '../account-apps.registry.js';
import type { AuditEvent } from '../../../platform/audit/audit-event.entity.js';
import { AuditQueryService } from '../../../platform/audit/audit-query.service.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';

const PAGE_SIZE = 50;

/** An audit event and the app that it concerns. */
export interface ActivityEntry {
  event: AuditEvent;
  app: AccountApp | null;
}

/** Lists the audit events of an account. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly auditEvents: AuditQueryService,
    private readonly apps: AccountAppsRegistry,
  ) {}

  /** Returns a page of events, the newest first. @throws ApiError 400 if the cursor is invalid */
  async list(accountId: string, cursor: string | null): Promise<Page<ActivityEntry>> {
    const { data, page } = await this.auditEvents.list({ accountId }, { limit: PAGE_SIZE, cursor });
    const apps = await Promise.all(data.map(({ appId }) => this.apps.find(appId ?? '')));
    return { data: data.map((event, index) => ({ event, app: apps[index] ?? null })), page };
  }
}
