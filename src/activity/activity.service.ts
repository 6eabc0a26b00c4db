import { Injectable } from '@nestjs/common';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import type { AuditEvent } from '../audit/audit-event.entity.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import type { Page } from '../http/paging.js';

const PAGE = 50;

/** Something that happened, and the app that it is about. */
export interface Happening {
  event: AuditEvent;
  app: App | null;
}

/** What happened to a person's account and to what they gave to apps. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly trail: AuditTrail,
    private readonly apps: AppsService,
  ) {}

  /** A page of it, the newest first. @throws ApiError where the cursor is not of this list */
  async list(accountId: string, cursor: string | null): Promise<Page<Happening>> {
    const { data, page } = await this.trail.list({ accountId }, { limit: PAGE, cursor });
    const apps = await Promise.all(data.map(({ appId }) => this.apps.find(appId ?? '')));
    return { data: data.map((event, at) => ({ event, app: apps[at] ?? null })), page };
  }
}
