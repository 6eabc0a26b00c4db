import {
  Body,
  type CallHandler,
  type ExecutionContext,
  Get,
  Injectable,
  type NestInterceptor,
  Param,
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
import { PROPOSER_KINDS, type ProposerKind } from '../../map/edits/edits.store.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';
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
  type ModeratedProposer,
  MODERATION_ACTIONS,
  type ModerationAction,
  ModerationService,
  parseDay,
} from './moderation.service.js';
import { renderProposerPage } from './proposer.page.js';

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
      authors: await this.moderation.listProposers(account, 'authors', offsets.authors),
      apps: await this.moderation.listProposers(account, 'apps', offsets.apps),
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
    @Param('kind') kind: string,
    @Param('id') id: string,
    @SearchParams() query: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const proposer = await this.moderation.getProposer(account, toKind(kind), id);
    const status = LISTED_STATUSES.find((listed) => listed === query.get('status')) ?? 'open';
    const [cursor, since] = [query.get('cursor'), parseDay(query.get('since') ?? '')];
    const edits = await this.moderation.listEdits(account, proposer, { status, cursor, since });
    return renderProposerPage(viewContext, proposer, { status, edits });
  }

  @Get(':kind/:id/:action')
  async confirm(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @Param('action') actionText: string,
    @CurrentSession() { account }: Session,
  ): Promise<View> {
    const proposer = await this.moderation.getProposer(account, toKind(kind), id);
    const action = toAction(proposer, actionText);
    return renderConfirmationPage(viewContext, { proposer, action, form: EMPTY_FORM_STATE });
  }

  @Post(':kind/:id/:action')
  async act(
    @CurrentViewContext() viewContext: ViewContext,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @Param('action') actionText: string,
    @Body() form: URLSearchParams,
    @CurrentSession() { account }: Session,
  ): Promise<View | Redirect> {
    const proposer = await this.moderation.getProposer(account, toKind(kind), id);
    const action = toAction(proposer, actionText);
    const acts = {
      reject: () => this.moderation.rejectAll(account, proposer, form),
      block: () => this.moderation.block(account, proposer, form),
      disable: () => this.moderation.disable(account, proposer),
    };
    return acts[action]().then(
      () => new Redirect(`${viewContext.basePath}/moderation/${kind}/${id}`),
      (error: unknown) =>
        renderConfirmationPage(viewContext, { proposer, action, form: toFormState(viewContext, form, error) }),
    );
  }
}

/** @throws DomainError `not_found` */
function toKind(text: string): ProposerKind {
  const kind = PROPOSER_KINDS.find((item) => item === text);
  if (!kind) throw createNotFoundError('page');
  return kind;
}

/** @throws DomainError `not_found` for another word, `forbidden` if the action is not possible */
function toAction({ actions }: ModeratedProposer, text: string): ModerationAction {
  const action = MODERATION_ACTIONS.find((item) => item === text);
  if (!action) throw createNotFoundError('page');
  if (!actions.includes(action)) throw createNotAllowedError();
  return action;
}

/** Returns the offset of a page of a list; 0 for a text that is none. */
function toOffset(text: string | null): number {
  return /^\d{1,6}$/.test(text ?? '') ? Number(text) : 0;
}
