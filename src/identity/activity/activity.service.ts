import { Injectable } from '@nestjs/common';
import type { App } from '../clients/app.entity.js';
import { AppsStore } from '../clients/apps.store.js';
import type { AuditEvent } from '../../platform/audit/audit-event.entity.js';
import { AuditQueryService } from '../../platform/audit/audit-query.service.js';
import type { Page } from '../../platform/database/keyset-pagination.js';

const PAGE_SIZE = 50;

/** Something that happened, and the app that it is about. */
export interface ActivityEntry {
  event: AuditEvent;
  app: App | null;
}

/** What happened to a person's account and to what they gave to apps. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly auditEvents: AuditQueryService,
    private readonly apps: AppsStore,
  ) {}

  /** A page of it, the newest first. @throws ApiError where the cursor is not of this list */
  async list(accountId: string, cursor: string | null): Promise<Page<ActivityEntry>> {
    const { data, page } = await this.auditEvents.list({ accountId }, { limit: PAGE_SIZE, cursor });
    const apps = await Promise.all(data.map(({ appId }) => this.apps.find(appId ?? '')));
    return { data: data.map((event, at) => ({ event, app: apps[at] ?? null })), page };
  }
}
