import { Injectable } from '@nestjs/common';
import { type Account, type AccountBlock, ALL_REGIONS, isBlocked } from '../../identity/accounts/account.entity.js';
import { AccountsService } from '../../identity/accounts/accounts.service.js';
import type { App } from '../../identity/apps/app.entity.js';
import { AppsService } from '../../identity/apps/apps.service.js';
import { AppsStore } from '../../identity/apps/apps.store.js';
import { toPersonResponse } from '../../identity/accounts/person.dto.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { EditsStore, type Contributor, type ContributorKind } from '../../map/edits/edits.store.js';
import { EditReviewsService } from '../../map/edits/review/edit-reviews.service.js';
import { toReviewableWhere } from '../../map/edits/view/edit-filters.js';
import type { EditFilter, EditViewPage } from '../../map/edits/view/edit-views.dto.js';
import { EditViewsService } from '../../map/edits/view/edit-views.service.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { isId } from '../../platform/database/ids.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';
import { type FieldError, InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';
import { isDescription } from '../../platform/validation/text.decorator.js';

/** Age up to which decided suggestions are counted and listed. */
const DECIDED_AGE_MS = 30 * 24 * 3600_000;

/** Authors or apps on a page of a list. */
export const CONTRIBUTORS_PER_PAGE = 20;

const EDITS_PER_PAGE = 50;

/** Suggestions that are read and rejected together. */
const BATCH_SIZE = 100;

/** Suggestions that one form rejects. */
const MAX_REJECTIONS = 500;

const MAX_REASON_LENGTH = 1000;

/** The statuses that the pages count and list. */
export const LISTED_STATUSES = ['open', 'accepted', 'rejected'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** Actions of moderators on an author or an app. */
export const MODERATION_ACTIONS = ['reject', 'block', 'disable'] as const;
export type ModerationAction = (typeof MODERATION_ACTIONS)[number];

/** An author or an app, with the numbers of suggestions. */
export interface ModeratedContributor extends Pick<Contributor, ListedStatus> {
  kind: ContributorKind;
  id: string;
  /** Username of the person, or name of the app. */
  name: string;
  /** The block of an author; null without one. */
  block: AccountBlock | null;
  /** Whether an app is disabled. */
  isDisabled: boolean;
  /** The actions that this moderator can take now. */
  actions: ModerationAction[];
}

/** A page of suggestions of an author or an app. */
export interface ContributedEditsQuery {
  status: ListedStatus;
  cursor: string | null;
  /** The first day of decided suggestions, which the cursor contains; null for the first page. */
  since: Date | null;
}

/** Rejects suggestions, blocks authors and disables apps for moderators, in their regions. */
@Injectable()
export class ModerationService {
  constructor(
    private readonly edits: EditsStore,
    private readonly views: EditViewsService,
    private readonly reviews: EditReviewsService,
    private readonly accounts: AccountsService,
    private readonly apps: AppsService,
    private readonly appsStore: AppsStore,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns the number of open suggestions, without those of blocked authors, and of those. */
  countOpen(moderator: Account): ReturnType<EditsStore['countByBlock']> {
    return this.edits.countByBlock(toReviewableWhere(moderator, { which: 'reviewable' }));
  }

  /** Returns authors or apps, those with the latest suggestion first, and one more than a page. */
  async listContributors(moderator: Account, kind: ContributorKind, offset: number): Promise<ModeratedContributor[]> {
    const page = { limit: CONTRIBUTORS_PER_PAGE + 1, offset };
    const contributors = await this.edits.listContributors(kind, buildWhere(moderator, {}, getDecidedStart()), page);
    return contributors.map(({ latestEdit, ...counts }) =>
      toModerated(moderator, kind === 'authors' ? latestEdit.author : latestEdit.app!, counts),
    );
  }

  /**
   * Returns an author, with the numbers of all suggestions, or an app, with those of 30 days.
   * @throws DomainError `not_found` for an author without a suggestion in the moderator's regions
   */
  async getContributor(moderator: Account, kind: ContributorKind, id: string): Promise<ModeratedContributor> {
    if (!isId(kind === 'authors' ? 'usr' : 'app', id)) throw createNotFoundError('person or app');
    const decidedSince = kind === 'authors' ? undefined : getDecidedStart();
    const where = buildWhere(moderator, toFilter(kind, id), decidedSince);
    const [contributor] = await this.edits.listContributors(kind, where, { limit: 1, offset: 0 });
    const authorOrApp = kind === 'authors' ? contributor?.latestEdit.author : await this.appsStore.find(id);
    if (!authorOrApp) throw createNotFoundError('person or app');
    return toModerated(moderator, authorOrApp, contributor ?? { open: 0, accepted: 0, rejected: 0 });
  }

  /** Returns a page of suggestions, the oldest first. */
  async listEdits(
    { id: moderatorId }: Account,
    { kind, id }: ModeratedContributor,
    { status, cursor, since }: ContributedEditsQuery,
  ): Promise<EditViewPage & { since: Date }> {
    const createdSince = since ?? getDecidedStart();
    const filter = { which: 'reviewable', ...toFilter(kind, id) } as const;
    const page = await this.views.list(createPersonActor(moderatorId), {
      filter: { ...filter, status: [status], ...(status !== 'open' && { createdSince }) },
      include: ['target'],
      limit: EDITS_PER_PAGE,
      cursor,
    });
    return { ...page, since: createdSince };
  }

  /**
   * Rejects up to 500 open suggestions. Those that the moderator may not reject stay open.
   * @throws InvalidFieldsError if the reason is invalid
   */
  async rejectAll(moderator: Account, { kind, id }: ModeratedContributor, form: URLSearchParams): Promise<void> {
    const comment = parseReason(form);
    const actor = createPersonActor(moderator.id);
    const filter = { which: 'reviewable', ...toFilter(kind, id) } as const;
    let cursor: string | null = null;
    for (let count = 0; count < MAX_REJECTIONS; count += BATCH_SIZE) {
      const { data, page }: EditViewPage = await this.views.list(actor, { filter, limit: BATCH_SIZE, cursor });
      const ids = data.map(({ edit }) => edit.id);
      const results = await this.reviews.decideMany(actor, { ids, decision: 'reject', comment });
      const rejected = results.data.filter(({ status }) => status === 'rejected').length;
      if (rejected > 0) {
        const event = { type: 'moderation.suggestions_rejected', detail: `${id} (${rejected})` } as const;
        await this.transactions.run((tx) => this.audit.record(tx, { ...event, accountId: moderator.id }));
      }
      cursor = page.nextCursor;
      if (cursor === null) return;
    }
  }

  /**
   * Blocks an author until the start of a day in UTC.
   * @throws InvalidFieldsError if the reason or the day is invalid; DomainError `forbidden` if the
   *   author is a moderator or blocked
   */
  async block(moderator: Account, { name }: ModeratedContributor, form: URLSearchParams): Promise<void> {
    const until = parseDay(form.get('until') ?? '');
    const isFuture = until !== null && until > new Date();
    const reason = parseReason(form, isFuture ? [] : [{ field: 'until', code: 'untilInvalid' }]);
    await this.accounts.block(name, reason, until, async (tx, account) => {
      if (!canBlock(account)) throw createNotAllowedError();
      const event = { type: 'moderation.account_blocked', accountId: moderator.id } as const;
      await this.audit.record(tx, { ...event, detail: account.id });
      return null;
    });
  }

  /** Disables an app. Only the operator can enable it again. */
  async disable(moderator: Account, { id }: ModeratedContributor): Promise<void> {
    const event = { type: 'moderation.app_disabled', accountId: moderator.id, appId: id } as const;
    await this.apps.disable(id, null, (tx) => this.audit.record(tx, event));
  }
}

/** Returns the error for an action that is not among those of `ModeratedContributor`. */
export function createNotAllowedError(): DomainError {
  return new DomainError('forbidden', 'moderation_not_allowed', 'This moderator cannot do this now.');
}

function toModerated(
  moderator: Account,
  authorOrApp: Account | App,
  { open, accepted, rejected }: Pick<Contributor, ListedStatus>,
): ModeratedContributor {
  const author = 'username' in authorOrApp ? authorOrApp : null;
  const app = 'username' in authorOrApp ? null : authorOrApp;
  const actions: Record<ModerationAction, boolean> = {
    reject: open > 0,
    block: author !== null && canBlock(author),
    disable: app !== null && app.disabledBy !== 'operator' && moderator.regions.includes(ALL_REGIONS),
  };
  return {
    kind: author ? 'authors' : 'apps',
    id: authorOrApp.id,
    name: author ? toPersonResponse(author).username : authorOrApp.name,
    block: author && isBlocked(author) && !author.deletedAt ? author : null,
    isDisabled: app?.disabledAt != null,
    actions: MODERATION_ACTIONS.filter((action) => actions[action]),
    open,
    accepted,
    rejected,
  };
}

/** A deleted account is blocked too. */
function canBlock(author: Account): boolean {
  return author.role !== 'moderator' && !isBlocked(author);
}

/** The open suggestions that a moderator reviews, and the decided ones since a time. */
function buildWhere(
  moderator: Account,
  filter: Partial<EditFilter>,
  decidedSince: Date | undefined,
): ReturnType<typeof toReviewableWhere> {
  const base = { which: 'reviewable', ...filter } as const;
  const decided = {
    status: ['accepted' as const, 'rejected' as const],
    ...(decidedSince && { createdSince: decidedSince }),
  };
  return [...toReviewableWhere(moderator, base), ...toReviewableWhere(moderator, { ...base, ...decided })];
}

function toFilter(kind: ContributorKind, id: string): Pick<EditFilter, 'authorId' | 'clientId'> {
  return kind === 'authors' ? { authorId: id } : { clientId: id };
}

/** The start of a day in UTC. */
function getDecidedStart(): Date {
  return new Date(new Date(Date.now() - DECIDED_AGE_MS).setUTCHours(0, 0, 0, 0));
}

/** @throws InvalidFieldsError if the reason is invalid, or another field is */
function parseReason(form: URLSearchParams, others: FieldError[] = []): string {
  const reason = (form.get('reason') ?? '').normalize('NFC').trim();
  const isValid = [...reason].length >= 3 && isDescription(reason, MAX_REASON_LENGTH);
  const errors: FieldError[] = isValid ? others : [{ field: 'reason', code: 'reasonInvalid' }, ...others];
  if (errors.length > 0) throw new InvalidFieldsError(errors);
  return reason;
}

/** Returns the start of a day such as `2027-01-31` in UTC; null if the text is none. */
export function parseDay(text: string): Date | null {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text ? at : null;
}
