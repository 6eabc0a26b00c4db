import {
  Body,
  type CallHandler,
  type ExecutionContext,
  Get,
  HttpStatus,
  Injectable,
  type NestInterceptor,
  Param,
  ParseEnumPipe,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import {
  AuthenticatedPageController,
  CurrentSession,
} from '../../identity/accounts/sessions/page-controller.decorator.js';
import type { Session } from '../../identity/accounts/sessions/session.entity.js';
import type { SessionRequest } from '../../identity/accounts/sessions/session.guard.js';
import { CONTRIBUTOR_KINDS, type ContributorKind } from '../../map/edits/edits.store.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Redirect } from '../../platform/http/redirect.js';
import { SearchParams } from '../../platform/http/request-url.js';
import { EMPTY_FORM_STATE, toFormState } from '../../platform/views/form-state.js';
import { CurrentViewContext, type ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import { renderConfirmationPage } from './confirmation.page.js';
import { LocksService } from './locks.service.js';
import { renderLockPage } from './lock.page.js';
import { renderModerationPage } from './moderation.page.js';
import {
  createNotAllowedError,
  LISTED_STATUSES,
  MODERATION_ACTIONS,
  type ModerationAction,
  ModerationService,
  parseDay,
} from './moderation.service.js';
import { renderContributorPage } from './contributor.page.js';

/** Another word in the path is an unknown page. */
const KIND = new ParseEnumPipe(CONTRIBUTOR_KINDS, { errorHttpStatusCode: HttpStatus.NOT_FOUND });
const ACTION = new ParseEnumPipe(MODERATION_ACTIONS, { errorHttpStatusCode: HttpStatus.NOT_FOUND });

/** Rejects people without the role moderator, after the session was read again. */
@Injectable()
export class ModeratorInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { session } = context.switchToHttp().getRequest<SessionRequest>();
    if (session?.account.role === 'moderator') return next.handle();
    throw new DomainError('forbidden', 'moderators_only', 'This page is for moderators of the map.');
  }
}

/** The pages of people who look after the map. */
@UseInterceptors(ModeratorInterceptor)
@AuthenticatedPageController('moderation')
export class ModerationController {
  constructor(
    private readonly moderation: ModerationService,
    private readonly locks: LocksService,
  ) {}

  @Get()
  async list(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const offsets = { authors: toOffset(query.get('authors')), apps: toOffset(query.get('apps')) };
    return renderModerationPage(viewContext, {
      open: await this.moderation.countOpen(account),
      authors: await this.moderation.listContributors(account, 'authors', offsets.authors),
      apps: await this.moderation.listContributors(account, 'apps', offsets.apps),
      offsets,
    });
  }

  @Get('locks')
  async showLock(
    @CurrentViewContext() viewContext: ViewContext,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const id = (query.get('target') ?? '').trim();
    const what = query.get('what') === 'unlock' ? 'unlock' : 'lock';
    return renderLockPage(viewContext, { id, what, found: await this.locks.find(account, id) });
  }

  @Post('locks')
  async setLock(
    @CurrentViewContext() { basePath }: ViewContext,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<Redirect> {
    const [target, what] = [form.get('target') ?? '', form.get('what') ?? ''];
    if (what === 'lock' || what === 'unlock') await this.locks.setLocked(account, target, what === 'lock');
    return new Redirect(`${basePath}/moderation/locks?${new URLSearchParams({ target, what })}`);
  }

  @Get(':kind/:id')
  async show(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('kind', KIND) kind: ContributorKind,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const contributor = await this.moderation.getContributor(account, kind, id);
    const status = LISTED_STATUSES.find((listed) => listed === query.get('status')) ?? 'open';
    const [cursor, since] = [query.get('cursor'), parseDay(query.get('since') ?? '')];
    const edits = await this.moderation.listEdits(account, contributor, { status, cursor, since });
    return renderContributorPage(viewContext, contributor, { status, edits });
  }

  @Get(':kind/:id/:action')
  async confirm(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('kind', KIND) kind: ContributorKind,
    @Param('id') id: string,
    @Param('action', ACTION) action: ModerationAction,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const contributor = await this.moderation.getContributor(account, kind, id);
    if (!contributor.actions.includes(action)) throw createNotAllowedError();
    return renderConfirmationPage(viewContext, { contributor, action, form: EMPTY_FORM_STATE });
  }

  @Post(':kind/:id/:action')
  async act(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('kind', KIND) kind: ContributorKind,
    @Param('id') id: string,
    @Param('action', ACTION) action: ModerationAction,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View | Redirect> {
    const contributor = await this.moderation.getContributor(account, kind, id);
    if (!contributor.actions.includes(action)) throw createNotAllowedError();
    const acts = {
      reject: () => this.moderation.rejectAll(account, contributor, form),
      block: () => this.moderation.block(account, contributor, form),
      disable: () => this.moderation.disable(account, contributor),
    };
    return acts[action]().then(
      () => new Redirect(`${viewContext.basePath}/moderation/${kind}/${id}`),
      (error: unknown) =>
        renderConfirmationPage(viewContext, { contributor, action, form: toFormState(viewContext, form, error) }),
    );
  }
}

/** Returns the offset of a page of a list; 0 for a text that is none. */
function toOffset(text: string | null): number {
  return /^\d{1,6}$/.test(text ?? '') ? Number(text) : 0;
}
