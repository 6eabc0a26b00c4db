import { Injectable } from '@nestjs/common';
import { type Account, ALL_REGIONS, isBlocked } from '../../identity/accounts/account.entity.js';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import type { App } from '../../identity/apps/app.entity.js';
import { AppsService } from '../../identity/apps/apps.service.js';
import { AppsStore } from '../../identity/apps/apps.store.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { EditsStore, type Proposer, type ProposerKind } from '../../map/edits/edits.store.js';
import { EditReviewsService } from '../../map/edits/review/edit-reviews.service.js';
import { toReviewableWhere } from '../../map/edits/view/edit-filters.js';
import type { EditFilter, EditViewPage } from '../../map/edits/view/edit-views.dto.js';
import { EditViewsService } from '../../map/edits/view/edit-views.service.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { denyPermission, toForbiddenError } from '../../platform/errors/denial.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';
import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';

/** Age up to which decided suggestions are counted and listed. */
const DECIDED_AGE_MS = 30 * 24 * 3600_000;

/** Proposers on a page of a list. */
export const PROPOSERS_PER_PAGE = 20;

const EDITS_PER_PAGE = 50;

/** Suggestions that are read and rejected together. */
const BATCH_SIZE = 100;

/** Suggestions that one form rejects. */
const MAX_REJECTIONS = 1000;

/** The statuses that the pages count and list. */
export const LISTED_STATUSES = ['open', 'accepted', 'rejected'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** What a moderator can do about an author or an app. */
export const MODERATION_ACTIONS = ['reject', 'block', 'disable'] as const;
export type ModerationAction = (typeof MODERATION_ACTIONS)[number];

/** An author or an app, and what the moderator may do about it. */
export interface ModeratedProposer extends Proposer {
  kind: ProposerKind;
  /** The author; null for an app. */
  account: Account | null;
  /** The app; null for an author. */
  app: App | null;
  canBlock: boolean;
  canDisable: boolean;
}

/** What moderators do about an author or an app, with all its suggestions in their regions. */
@Injectable()
export class ModerationService {
  constructor(
    private readonly edits: EditsStore,
    private readonly views: EditViewsService,
    private readonly reviews: EditReviewsService,
    private readonly accounts: AccountsService,
    private readonly accountsStore: AccountsStore,
    private readonly apps: AppsService,
    private readonly appsStore: AppsStore,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns authors or apps, those with the latest suggestion first, and one more than a page. */
  listProposers(moderator: Account, kind: ProposerKind, offset: number): Promise<Proposer[]> {
    const page = { limit: PROPOSERS_PER_PAGE + 1, offset };
    return this.edits.listProposers(kind, buildWhere(moderator, {}), page);
  }

  /** @throws DomainError `not_found` without a suggestion that the moderator can see */
  async getProposer(moderator: Account, kind: ProposerKind, id: string): Promise<ModeratedProposer> {
    const where = buildWhere(moderator, toFilter(kind, id));
    const [proposer] = await this.edits.listProposers(kind, where, { limit: 1, offset: 0 });
    if (!proposer) throw createNotFoundError('person or app');
    const account = kind === 'authors' ? await this.accountsStore.get(id) : null;
    const app = kind === 'apps' ? await this.appsStore.find(id) : null;
    const canBlock = account !== null && account.role !== 'moderator' && !isBlocked(account);
    const canDisable = app !== null && !app.disabledAt && moderator.regions.includes(ALL_REGIONS);
    return { ...proposer, kind, account, app, canBlock, canDisable };
  }

  /** Returns a page of the suggestions of an author or an app, the oldest first. */
  listEdits(
    { id: moderatorId }: Account,
    { kind, id }: ModeratedProposer,
    { status, cursor }: { status: ListedStatus; cursor: string | null },
  ): Promise<EditViewPage> {
    const createdSince = status === 'open' ? undefined : getDecidedStart();
    const filter = { which: 'reviewable', status: [status], createdSince, ...toFilter(kind, id) } as EditFilter;
    return this.views.list(createPersonActor(moderatorId), {
      filter,
      include: ['target'],
      limit: EDITS_PER_PAGE,
      cursor,
    });
  }

  /**
   * Rejects up to 1,000 open suggestions. Those that the moderator may not reject stay open.
   * @throws InvalidFieldsError if the reason is invalid
   */
  async rejectAll(moderator: Account, { kind, id }: ModeratedProposer, reason: string): Promise<void> {
    assertReason(reason);
    const actor = createPersonActor(moderator.id);
    const filter = { which: 'reviewable', ...toFilter(kind, id) } as const;
    let rejected = 0;
    let cursor: string | null = null;
    for (let seen = 0; seen < MAX_REJECTIONS; seen += BATCH_SIZE) {
      const { data, page }: EditViewPage = await this.views.list(actor, { filter, limit: BATCH_SIZE, cursor });
      const ids = data.map(({ edit }) => edit.id);
      const results = await this.reviews.decideMany(actor, { ids, decision: 'reject', comment: reason });
      rejected += results.data.filter(({ status }) => status === 'rejected').length;
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    if (rejected === 0) return;
    const event = { type: 'moderation.suggestions_rejected', accountId: moderator.id } as const;
    await this.transactions.run((tx) => this.audit.record(tx, { ...event, detail: `${id} (${rejected})` }));
  }

  /**
   * Blocks an author until the start of a day in UTC.
   * @throws InvalidFieldsError if the reason or the day is invalid; DomainError `forbidden` for a
   *   moderator, or a person who is blocked already
   */
  async block(moderator: Account, { account, canBlock }: ModeratedProposer, form: URLSearchParams): Promise<void> {
    const [reason, until] = [form.get('reason') ?? '', parseDay(form.get('until') ?? '')];
    const untilErrors: FieldError[] = until && until > new Date() ? [] : [{ field: 'until', code: 'untilInvalid' }];
    assertReason(reason, untilErrors);
    if (!canBlock || !account) throw createForbiddenError('Moderators cannot block this person.');
    await this.accounts.block(account.username, reason, until, async (tx) => {
      const event = { type: 'moderation.account_blocked', accountId: moderator.id } as const;
      await this.audit.record(tx, { ...event, detail: account.id });
      return '';
    });
  }

  /** @throws DomainError `forbidden` without a role everywhere, or if the app is disabled */
  async disable(moderator: Account, { app, canDisable }: ModeratedProposer): Promise<void> {
    if (!canDisable || !app) throw createForbiddenError('This person cannot disable this app.');
    await this.apps.disable(app.id, null, `By the moderator ${moderator.id}.`);
  }
}

/** All open suggestions that a moderator reviews, and the decided ones of the last 30 days. */
function buildWhere(moderator: Account, filter: Partial<EditFilter>): ReturnType<typeof toReviewableWhere> {
  const base = { which: 'reviewable', ...filter } as const;
  return [
    ...toReviewableWhere(moderator, base),
    ...toReviewableWhere(moderator, { ...base, status: ['accepted', 'rejected'], createdSince: getDecidedStart() }),
  ];
}

function toFilter(kind: ProposerKind, id: string): Pick<EditFilter, 'authorId' | 'clientId'> {
  return kind === 'authors' ? { authorId: id } : { clientId: id };
}

function getDecidedStart(): Date {
  return new Date(Date.now() - DECIDED_AGE_MS);
}

/** @throws InvalidFieldsError if the reason is invalid, or another field is */
function assertReason(reason: string, others: FieldError[] = []): void {
  const { length } = [...reason.trim()];
  const errors: FieldError[] = length >= 3 && length <= 1000 ? [] : [{ field: 'reason', code: 'reasonInvalid' }];
  if (errors.length + others.length > 0) throw new InvalidFieldsError([...errors, ...others]);
}

/** Returns the start of a day such as `2027-01-31`; null if the text is none. */
function parseDay(text: string): Date | null {
  const at = new Date(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) ? at : null;
}

function createForbiddenError(message: string): Error {
  return toForbiddenError(denyPermission('not_allowed', message));
}
