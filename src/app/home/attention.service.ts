import { Injectable } from '@nestjs/common';
import { AccountMailService } from '../../identity/accounts/account-mail.service.js';
import type { Account } from '../../identity/accounts/account.entity.js';
import type { App } from '../../identity/apps/app.entity.js';
import { AppsStore } from '../../identity/apps/apps.store.js';
import { FailedCallsService } from '../../identity/apps/failed-calls/failed-calls.service.js';
import { ConnectedAppsService } from '../../identity/oauth/connected-apps/connected-apps.service.js';
import { EditTargetsService, getTargetTitle } from '../../map/edits/edit-targets.service.js';
import type { Edit } from '../../map/edits/edit.entity.js';
import { EditsStore } from '../../map/edits/edits.store.js';

/** Something that happened to an account of which its person may not know. */
export interface Attention {
  isEmailUnconfirmed: boolean;
  /** The apps that the person allowed for the first time. */
  connected: { app: App; at: Date }[];
  /** The apps of the person whose API calls failed. */
  failing: { app: App; callCount: number }[];
  /** The decided suggestions of the person, with the title of their artwork or artist. */
  decided: { edit: Edit; title: string }[];
}

/** Age up to which the home page shows what happened. */
const ATTENTION_AGE_MS = 7 * 24 * 3600_000;

const MAX_DECIDED = 5;

/** Collects what happened to an account in the last 7 days. */
@Injectable()
export class AttentionService {
  constructor(
    private readonly mail: AccountMailService,
    private readonly connectedApps: ConnectedAppsService,
    private readonly apps: AppsStore,
    private readonly failedCalls: FailedCallsService,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
  ) {}

  async find(account: Account): Promise<Attention> {
    const since = new Date(Date.now() - ATTENTION_AGE_MS);
    return {
      isEmailUnconfirmed: this.mail.checkConfirmed(account) !== null,
      connected: await this.findConnected(account.id, since),
      failing: await this.findFailing(account.id, since),
      decided: await this.findDecided(account.id, since),
    };
  }

  private async findConnected(accountId: string, since: Date): Promise<Attention['connected']> {
    const connectedApps = await this.connectedApps.list(accountId);
    return connectedApps
      .flatMap(({ app, consent }) => (consent ? [{ app, at: consent.createdAt }] : []))
      .filter(({ at }) => at >= since);
  }

  private async findFailing(ownerId: string, since: Date): Promise<Attention['failing']> {
    const apps = await this.apps.listByOwner(ownerId);
    if (apps.length === 0) return [];
    const counts = await this.failedCalls.sumByApp(
      apps.map(({ id }) => id),
      since,
    );
    return apps.flatMap((app) => {
      const callCount = counts.get(app.id);
      return callCount === undefined ? [] : [{ app, callCount }];
    });
  }

  private async findDecided(authorId: string, since: Date): Promise<Attention['decided']> {
    const edits = await this.edits.listDecided(authorId, since, MAX_DECIDED);
    const findTarget = await this.targets.loadLookup(edits);
    return edits.map((edit) => ({ edit, title: getTargetTitle(edit, findTarget(edit)) }));
  }
}
