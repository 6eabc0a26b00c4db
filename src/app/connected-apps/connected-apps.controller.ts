import { Body, Get, Param, Post } from '@nestjs/common';
import { type Account, isBlocked } from '../../identity/accounts/account.entity.js';
import { AvailableWhenBlocked } from '../../identity/accounts/sessions/blocked-account.interceptor.js';
import {
  AuthenticatedPageController,
  CurrentSession,
} from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import { AppRecordService } from '../../identity/app-record/app-record.service.js';
import { ConnectedAppsService, type Removal } from '../../identity/oauth/connected-apps/connected-apps.service.js';
import { EditsStore } from '../../map/edits/edits.store.js';
import { Settings } from '../../platform/config/settings.js';
import { isId } from '../../platform/database/ids.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';
import { Redirect } from '../../platform/http/redirect.js';
import { SearchParams } from '../../platform/http/request-url.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderConnectedAppPage } from './connected-app.page.js';
import { renderConnectedAppsPage } from './connected-apps.page.js';
import { type Outcome, OutcomeService } from './outcome.service.js';
import { RecordViewService } from './record-view.service.js';
import { UndoService } from './undo.service.js';

/** The pages of the apps that can act for the person: the list, and the record of each one. */
@AuthenticatedPageController('account/apps')
@AvailableWhenBlocked()
export class ConnectedAppsController {
  constructor(
    private readonly connectedApps: ConnectedAppsService,
    private readonly record: AppRecordService,
    private readonly recordView: RecordViewService,
    private readonly undo: UndoService,
    private readonly edits: EditsStore,
    private readonly outcomes: OutcomeService,
    private readonly settings: Settings,
  ) {}

  @Get()
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const found = this.outcomes.find(account.id, query);
    const app = found && (await this.connectedApps.find(account.id, found.appId))?.app;
    return renderConnectedAppsPage(viewContext, {
      account,
      apps: await this.connectedApps.list(account.id),
      deeds: await this.record.countByApp(account.id),
      done: found && app ? { app, outcome: found.outcome } : null,
      accessTokenLifetimeMinutes: this.accessTokenLifetimeMinutes,
    });
  }

  @Post()
  async remove(
    @CurrentViewContext() { basePath }: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() { accountId }: Session,
  ): Promise<Redirect> {
    const removal = await this.connectedApps.remove(accountId, form.get('what') ?? '');
    const query = removal ? this.outcomes.toQuery(accountId, removal.appId, { kind: removal.removed }) : '';
    return new Redirect(`${basePath}/account/apps${query}`);
  }

  @Get(':id')
  async show(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const connectedApp = await this.connectedApps.find(account.id, id);
    if (!connectedApp) throw createNotFoundError('app');
    const { id: appId } = connectedApp.app;
    const found = this.outcomes.find(account.id, query);
    const outcome = found?.appId === appId ? found.outcome : null;
    return renderConnectedAppPage(viewContext, {
      account,
      connectedApp,
      lines: await this.recordView.findPage(account, appId, query.get('cursor')),
      left: outcome?.kind === 'undone-all' && outcome.left > 0 ? await this.recordView.findLeft(account, appId) : [],
      hasRecentChanges: await this.recordView.hasRecentChanges(account.id, appId),
      openSuggestions: await this.edits.countOpenByApp(account.id, appId),
      outcome,
      retentionDays: Math.ceil(this.settings.APP_RECORD_RETENTION / 86_400),
      accessTokenLifetimeMinutes: this.accessTokenLifetimeMinutes,
    });
  }

  @Post(':id')
  async change(
    @CurrentViewContext() { basePath }: ViewContext,
    @Param('id') id: string,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    const accountId = account.id;
    const connectedApp = await this.connectedApps.find(accountId, id);
    if (!connectedApp) throw createNotFoundError('app');
    const { id: appId } = connectedApp.app;
    const outcome = await this.apply(account, appId, form.get('what') ?? '');
    const query = outcome ? this.outcomes.toQuery(accountId, appId, outcome) : '';
    return new Redirect(`${basePath}/account/apps/${appId}${query}`);
  }

  /** Does what a button of the page of an app says. */
  private async apply(account: Account, appId: string, what: string): Promise<Outcome | null> {
    const accountId = account.id;
    const key = { accountId, appId };
    if (isId('act', what)) return { kind: await this.undo.undo(key, what) };
    if (what === 'suggestions') return { kind: 'withdrawn', count: await this.undo.withdrawSuggestions(key) };
    if (isId('aut', what)) return toOutcome(await this.connectedApps.remove(accountId, what));
    if (what !== 'access' && what !== 'access-and-changes') return null;
    const removal = await this.connectedApps.remove(accountId, appId);
    // A block can begin while the page is open. Then only the access ends.
    const removesOnly = what === 'access' || isBlocked(account);
    return removesOnly ? toOutcome(removal) : { kind: 'undone-all', ...(await this.undo.undoAll(key)) };
  }

  private get accessTokenLifetimeMinutes(): number {
    return Math.ceil(this.settings.ACCESS_TOKEN_LIFETIME / 60);
  }
}

function toOutcome(removal: Removal | null): Outcome | null {
  return removal && { kind: removal.removed };
}
