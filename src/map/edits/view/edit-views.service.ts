import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import {
  And,
  Between,
  type EntityManager,
  Equal,
  type FindOperator,
  type FindOptionsWhere,
  In,
  MoreThanOrEqual,
  Not,
  Raw,
} from 'typeorm';
import { type Account, ALL_REGIONS } from '../../../identity/accounts/account.entity.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { ArtistsStore } from '../../artists/artists.store.js';
import { notFound } from '../../../platform/http/api-error.js';
import { invalidRequest } from '../../../platform/http/api-validation.pipe.js';
import { toAreas } from '../../regions/geo.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import { createInsufficientScopeError } from '../../../identity/scopes/insufficient-scope-error.js';
import { evaluateActions, toPermissionList } from './action-permissions.js';
import { isReviewerFor, canView, REVIEW_SCOPE } from '../rules/edit-permissions.js';
import { toFieldDiffs, getTargetTitle, buildSummary } from './edit-view.js';
import { EditTargetsService, type Target } from '../edit-targets.service.js';
import { EditRulesService, toReviewSubject } from '../rules/edit-rules.service.js';
import type { EditsFilter, EditView, EditViewPage, ViewInclude, ViewEditsRequest } from './edit-views.dto.js';
import { toEditResponse } from '../edit.dto.js';
import type { Edit, EditStatus, TargetType } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';

/** Looking at edits, as they would be shown to a person: what they change, and how that stands to the map as it is. */
@Injectable()
export class EditViewsService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly rules: EditRulesService,
    private readonly artists: ArtistsStore,
    private readonly accounts: AccountsService,
  ) {}

  /** @throws ApiError 404 where there is none, or none that the caller may see */
  async get(caller: Caller, id: string): Promise<EditView> {
    const person = await this.accounts.get(caller.accountId);
    const visible = await this.findVisible(caller, person, [id]);
    if (visible.length === 0) throw notFound('edit');
    const [view] = await this.toViews(caller, person, visible, ['target', 'permissions']);
    return view!;
  }

  /** Several edits at once: by id, in the order asked for, or a page of what a filter finds. */
  async list(caller: Caller, { ids, filter, include = [], limit, cursor }: ViewEditsRequest): Promise<EditViewPage> {
    if ((ids === undefined) === (filter === undefined)) {
      throw invalidRequest([{ path: 'ids', code: 'not_together', message: 'Ask for either ids or a filter.' }]);
    }
    const person = await this.accounts.get(caller.accountId);
    if (ids) return this.listByIds(caller, person, [...new Set(ids)], include);
    const { data, page } = await this.findPage(caller, person, filter!, { limit, cursor: cursor ?? null });
    return { data: await this.toViews(caller, person, data, include), missing: [], page };
  }

  private async listByIds(
    caller: Caller,
    person: Account,
    ids: string[],
    include: ViewInclude[],
  ): Promise<EditViewPage> {
    const visible = new Map((await this.findVisible(caller, person, ids)).map((edit) => [edit.id, edit]));
    const asked = ids.flatMap((id) => visible.get(id) ?? []);
    return {
      data: await this.toViews(caller, person, asked, include),
      missing: ids.filter((id) => !visible.has(id)),
      page: { limit: 100, nextCursor: null },
    };
  }

  private async findVisible(caller: Caller, person: Account, ids: string[]): Promise<Edit[]> {
    const edits = await this.edits.findMany(ids);
    const targetOf = await this.targets.loadLookup(edits);
    return edits.filter((edit) => canView(caller, person, toReviewSubject(edit, targetOf(edit))));
  }

  /** @throws ApiError 403 where an app that does not review asks for what is reviewable */
  private async findPage(
    caller: Caller,
    person: Account,
    filter: EditsFilter,
    query: { limit: number; cursor: string | null },
  ): ReturnType<EditsStore['findPage']> {
    if (filter.which === 'mine') {
      return this.edits.findPage(buildWhere({ authorId: person.id }, filter), 'createdAt', 'DESC', query);
    }
    if (!caller.scopes.has(REVIEW_SCOPE)) throw createInsufficientScopeError(REVIEW_SCOPE);
    const wheres = buildReviewQueues(person, filter.status)
      .filter(({ targetType }) => targetType === (filter.targetType ?? targetType))
      .flatMap((queue) =>
        buildWhere({ authorId: Not(person.id), ...queue }, { ...filter, status: filter.status ?? ['open'] }),
      );
    if (wheres.length === 0) return { data: [], page: { limit: query.limit, nextCursor: null } };
    const keep = async (edits: Edit[]): Promise<Edit[]> => {
      const targetOf = await this.targets.loadLookup(edits);
      return edits.filter((edit) => isReviewerFor(person, toReviewSubject(edit, targetOf(edit))));
    };
    return this.edits.findPage(wheres, 'createdAt', 'ASC', query, keep);
  }

  private async toViews(caller: Caller, person: Account, edits: Edit[], include: ViewInclude[]): Promise<EditView[]> {
    const targetOf = await this.targets.loadLookup(edits);
    const names = await this.findArtistNames(edits);
    const views: EditView[] = [];
    for (const edit of edits) {
      const target = targetOf(edit);
      const view = this.toView(edit, target, names);
      if (include.includes('target')) view.target = toTargetSummary(target);
      if (include.includes('permissions')) {
        view.permissions = toPermissionList(
          await evaluateActions(this.rules, this.manager, caller, person, edit, target),
        );
      }
      views.push(view);
    }
    return views;
  }

  private toView(edit: Edit, target: Target | undefined, names: Map<string, string>): EditView {
    const diff = toFieldDiffs(edit, target ? this.targets.getStore(edit.targetType).toFieldValues(target) : {});
    return {
      edit: toEditResponse(edit),
      summary: buildSummary(edit, target, names),
      diff,
      conflicted: edit.status === 'open' && edit.type === 'update' && diff.some(({ state }) => state === 'conflict'),
      authorBlocked: edit.author.blockedAt !== null,
    };
  }

  private async findArtistNames(edits: Edit[]): Promise<Map<string, string>> {
    const changes = edits.flatMap((edit) => edit.changes.filter(({ field }) => field === 'artistIds'));
    const ids = new Set(changes.flatMap(({ from, to }) => [from, to].flat() as (string | null)[]));
    const artists = await this.artists.findMany([...ids].filter((id) => id !== null));
    return new Map(artists.map(({ id, name }) => [id, name]));
  }
}

/**
 * What lies in a person's queue, so that the rest need not be read; whether they may review it is asked of each edit. An
 * open edit goes where its artwork goes, and one that is decided stays where it was: then it is the artwork that counts.
 */
function buildReviewQueues({ role, regions }: Account, status: EditStatus[] = ['open']): ReviewQueueFilter[] {
  if (role === 'member') return [];
  const everywhere = regions.includes(ALL_REGIONS);
  const artists: ReviewQueueFilter[] = everywhere || role === 'moderator' ? [{ targetType: 'artist' }] : [];
  if (everywhere) return [{ targetType: 'artwork' }, ...artists];
  const open: ReviewQueueFilter = { targetType: 'artwork', regionId: In(regions) };
  const decided: ReviewQueueFilter = { targetType: 'artwork', targetId: isInRegions(regions) };
  return status.every((one) => one === 'open') ? [open, ...artists] : [open, decided, ...artists];
}

/** Ids of artworks that lie in one of these regions. */
function isInRegions(regions: string[]): FindOperator<string> {
  const inside = `SELECT "id" FROM "markers" WHERE "region_id" IN (:...regions)`;
  return Raw((column) => `${column} IN (${inside})`, { regions }) as FindOperator<string>;
}

interface ReviewQueueFilter {
  targetType: TargetType;
  regionId?: FindOperator<string>;
  targetId?: FindOperator<string>;
}

/** What edits must fulfil: for each of the areas that a box is made of, if there is one. */
function buildWhere(
  base: FindOptionsWhere<Edit> & Partial<ReviewQueueFilter>,
  { status, targetType, targetId, regionId, bbox, createdSince }: Omit<EditsFilter, 'which'>,
): FindOptionsWhere<Edit>[] {
  const where = {
    ...base,
    ...(status && { status: In(status) }),
    ...(targetType && { targetType }),
    ...(targetId !== undefined && { targetId: base.targetId ? And(base.targetId, Equal(targetId)) : targetId }),
    ...(regionId !== undefined && { regionId: base.regionId ? And(base.regionId, Equal(regionId)) : regionId }),
    ...(createdSince && { createdAt: MoreThanOrEqual(createdSince) }),
  };
  if (!bbox) return [where];
  return toAreas(bbox).map(({ west, south, east, north }) => ({
    ...where,
    latE7: Between(south, north),
    lonE7: Between(west, east),
  }));
}

function toTargetSummary(target: Target | undefined): EditView['target'] {
  return target ? { id: target.id, version: target.version, title: getTargetTitle(target)! } : null;
}
