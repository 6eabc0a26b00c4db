import { Injectable } from '@nestjs/common';
import { type Account, isBlocked } from '../../../identity/accounts/account.entity.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import type { Actor } from '../../../identity/scopes/caller.decorator.js';
import type { Page } from '../../../platform/database/keyset-pagination.js';
import { ArtistsStore } from '../../artists/artists.store.js';
import { EditContextLoader, type EditWithTarget } from '../edit-context.loader.js';
import { createInvalidRequestError } from '../../../platform/errors/request-errors.js';
import { createEditNotFoundError, createMissingReviewScopeError } from '../edit-errors.js';
import { EditTargetsService, type Target } from '../edit-targets.service.js';
import { type EditResponse, type SimilarArtwork, toEditResponse } from '../edit.dto.js';
import type { Edit } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';
import { SimilarArtworksService } from '../suggest/similar-artworks.service.js';
import { canViewEdit, isReviewerFor, REVIEW_SCOPE, toReviewSubject } from '../rules/edit-permissions.js';
import { evaluateActions, toPermissionList } from './permission-evaluation.dto.js';
import { toMyEditsWhere, toOwnWhere, toReviewableWhere, toTargetWhere } from './edit-filters.js';
import { buildSummary, toFieldDiffs, toTargetSummary } from './edit-view.js';
import type {
  EditFilter,
  EditView,
  EditViewPage,
  MyEditsQuery,
  EditViewsRequest,
  FieldDiff,
  ViewInclude,
} from './edit-views.dto.js';

/** Page size that the list of given ids reports: the maximum number of ids. */
const MAX_IDS = 100;

/**
 * Reads edits and renders them: their changes, and the state of each change against the current
 * target.
 */
@Injectable()
export class EditViewsService {
  constructor(
    private readonly contexts: EditContextLoader,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly artists: ArtistsStore,
    private readonly accounts: AccountsStore,
    private readonly similarArtworks: SimilarArtworksService,
  ) {}

  /** Lists the person's own edits, newest first. */
  async listMine(actor: Actor, query: MyEditsQuery): Promise<Page<EditResponse>> {
    const where = toMyEditsWhere(actor.accountId, query);
    const { data, page } = await this.edits.findPage(where, query.sort ?? 'createdAt', 'DESC', query);
    return { data: data.map(toEditResponse), page };
  }

  /** @throws DomainError `not_found` if the edit does not exist or the actor cannot read it */
  async get(actor: Actor, id: string): Promise<EditView> {
    return (await this.getWithArtists(actor, id)).view;
  }

  /** Does the same as `get`, and returns the names of the artists in the changes too, by id. */
  async getWithArtists(actor: Actor, id: string): Promise<{ view: EditView; artistNames: Map<string, string> }> {
    const person = await this.accounts.getCaller(actor);
    const visible = await this.findVisible(actor, person, [id]);
    if (visible.length === 0) throw createEditNotFoundError();
    const [view] = await this.toViews(actor, person, visible, ['target', 'permissions']);
    return { view: view!, artistNames: await this.findArtistNames(visible) };
  }

  /**
   * Returns the views of several edits: by id in the given order, or a page of those that match a
   * filter.
   */
  async list(actor: Actor, { ids, filter, include = [], limit, cursor }: EditViewsRequest): Promise<EditViewPage> {
    if ((ids === undefined) === (filter === undefined)) {
      throw createInvalidRequestError([
        { path: 'ids', code: 'not_together', message: 'ids or filter is required. Send exactly one of them.' },
      ]);
    }
    if (filter) assertFiltersTogether(filter);
    const person = await this.accounts.getCaller(actor);
    if (ids) return this.listByIds(actor, person, [...new Set(ids)], include);
    const { data, page } = await this.findPage(actor, person, filter!, { limit, cursor: cursor ?? null });
    const isOfTarget = filter!.which === 'target';
    const items = await this.loadTargets(isOfTarget ? data.map(withoutRejectionComments) : data);
    const views = await this.toViews(actor, person, items, include);
    return {
      data: isOfTarget ? views.map((view, index) => this.hideBlock(actor, person, view, items[index]!)) : views,
      missing: [],
      page,
    };
  }

  private async listByIds(actor: Actor, person: Account, ids: string[], include: ViewInclude[]): Promise<EditViewPage> {
    const visible = new Map((await this.findVisible(actor, person, ids)).map((item) => [item.edit.id, item]));
    const items = ids.flatMap((id) => visible.get(id) ?? []);
    return {
      data: await this.toViews(actor, person, items, include),
      missing: ids.filter((id) => !visible.has(id)),
      page: { limit: MAX_IDS, nextCursor: null },
    };
  }

  private async findVisible(actor: Actor, person: Account, ids: string[]): Promise<EditWithTarget[]> {
    const items = await this.loadTargets(await this.edits.findMany(ids));
    return items.filter(({ edit, target }) => canViewEdit(actor, person, toReviewSubject(edit, target)));
  }

  /** @throws DomainError `forbidden` if the app asks for reviewable edits without `edits:review` */
  private async findPage(
    actor: Actor,
    person: Account,
    filter: EditFilter,
    query: { limit: number; cursor: string | null },
  ): Promise<Page<Edit>> {
    if (filter.which === 'mine') {
      return this.edits.findPage(toOwnWhere(person, filter), 'createdAt', 'DESC', query);
    }
    if (filter.which === 'target') {
      return this.edits.findPage(toTargetWhere(filter), 'createdAt', 'DESC', query);
    }
    if (!actor.scopes.has(REVIEW_SCOPE)) throw createMissingReviewScopeError();
    const where = toReviewableWhere(person, filter);
    if (where.length === 0) return { data: [], page: { limit: query.limit, nextCursor: null } };
    const keepReviewable = async (edits: Edit[]): Promise<Edit[]> =>
      (await this.loadTargets(edits))
        .filter(({ edit, target }) => isReviewerFor(person, toReviewSubject(edit, target)))
        .map(({ edit }) => edit);
    return this.edits.findPage(where, 'createdAt', 'ASC', query, keepReviewable);
  }

  private async loadTargets(edits: Edit[]): Promise<EditWithTarget[]> {
    const findTarget = await this.targets.loadLookup(edits);
    return edits.map((edit) => ({ edit, target: findTarget(edit) }));
  }

  private async toViews(
    actor: Actor,
    person: Account,
    items: EditWithTarget[],
    include: ViewInclude[],
  ): Promise<EditView[]> {
    const artistNames = await this.findArtistNames(items);
    const contexts = include.includes('permissions') ? await this.contexts.loadMany(person, items) : [];
    const similar = await this.findSimilar(person, items);
    return items.map((item, index) => ({
      ...this.toView(item, artistNames),
      ...(similar[index]!.length > 0 && { similar: similar[index]! }),
      ...(include.includes('target') && { target: toTargetSummary(item.target) }),
      ...(contexts[index] && { permissions: toPermissionList(evaluateActions(actor, contexts[index])) }),
    }));
  }

  /** Reviewers see which new artworks are probably on the map. */
  private async findSimilar(person: Account, items: EditWithTarget[]): Promise<SimilarArtwork[][]> {
    const found: SimilarArtwork[][] = [];
    for (const { edit, target } of items) {
      const isReviewer = isReviewerFor(person, toReviewSubject(edit, target));
      found.push(isReviewer ? await this.similarArtworks.find(edit) : []);
    }
    return found;
  }

  /** Only the author and the reviewers of an edit see that the author is blocked. */
  private hideBlock(actor: Actor, person: Account, view: EditView, { edit, target }: EditWithTarget): EditView {
    const isVisible = canViewEdit(actor, person, toReviewSubject(edit, target));
    return { ...view, authorBlocked: view.authorBlocked && isVisible };
  }

  private toView({ edit, target }: EditWithTarget, artistNames: Map<string, string>): EditView {
    const diff = toFieldDiffs(edit, target ? this.targets.getStore(edit.targetType).toFieldValues(target) : {});
    return {
      edit: toEditResponse(edit),
      summary: buildSummary(edit, target, artistNames),
      diff,
      conflicted: isConflicted(edit, target, diff),
      authorBlocked: isBlocked(edit.author) && edit.author.deletedAt === null,
    };
  }

  private async findArtistNames(items: EditWithTarget[]): Promise<Map<string, string>> {
    const changes = items.flatMap(({ edit }) => edit.changes.filter(({ field }) => field === 'artistIds'));
    const ids = new Set(changes.flatMap(({ from, to }) => [from, to].flat() as (string | null)[]));
    const artists = await this.artists.findMany([...ids].filter((id) => id !== null));
    return new Map(artists.map(({ id, name }) => [id, name]));
  }
}

/** Whether an edit cannot be accepted because of a change after its suggestion. */
function isConflicted({ status, type }: Edit, target: Target | undefined, diff: FieldDiff[]): boolean {
  if (status !== 'open' && status !== 'obsolete') return false;
  return target?.deletedAt != null || (type === 'update' && diff.some(({ state }) => state === 'conflict'));
}

/** The comments of rejected edits are for their authors and reviewers. */
function withoutRejectionComments(edit: Edit): Edit {
  return edit.status === 'rejected' ? { ...edit, comment: null, decisionComment: null } : edit;
}

/** @throws DomainError `invalid` if a filter needs another one */
function assertFiltersTogether(filter: EditFilter): void {
  if (filter.which === 'target' && filter.targetId === undefined) {
    const message = 'filter.targetId is required with which: "target".';
    throw createInvalidRequestError([{ path: 'filter.targetId', code: 'not_together', message }]);
  }
  const names = (['authorId', 'clientId'] as const).filter((name) => filter[name] !== undefined);
  if (filter.which === 'reviewable' || names.length === 0) return;
  throw createInvalidRequestError(
    names.map((name) => ({
      path: `filter.${name}`,
      code: 'not_together',
      message: `filter.${name} needs which: "reviewable".`,
    })),
  );
}
