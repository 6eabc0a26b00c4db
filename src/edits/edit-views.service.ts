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
import { type Account, EVERYWHERE } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ArtistsStore } from '../artists/artists-store.js';
import { notFound } from '../http/api-error.js';
import { invalidRequest } from '../http/validation.pipe.js';
import { areasOf } from '../markers/search/places.js';
import type { Caller } from '../scopes/caller.decorator.js';
import { missingScope } from '../scopes/missing-scope.js';
import { actionsOn, allowedOf } from './edit-actions.js';
import { couldReview, maySee, REVIEW_SCOPE } from './edit-permissions.js';
import { diffOf, nameOf, summaryOf } from './edit-rendering.js';
import { EditTargets, type Target } from './edit-targets.js';
import { EditVerdicts, reviewed } from './edit-verdicts.service.js';
import type { EditsFilter, EditView, EditViews, Include, ViewEdits } from './edit-views.dto.js';
import { toEditResponse } from './edit.dto.js';
import type { Edit, EditStatus, TargetType } from './edit.entity.js';
import { EditsService } from './edits.service.js';

/** Looking at edits, as they would be shown to a person: what they change, and how that stands to the map as it is. */
@Injectable()
export class EditViewsService {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly edits: EditsService,
    private readonly targets: EditTargets,
    private readonly verdicts: EditVerdicts,
    private readonly artists: ArtistsStore,
    private readonly accounts: AccountsService,
  ) {}

  /** @throws ApiError 404 where there is none, or none that the caller may see */
  async get(caller: Caller, id: string): Promise<EditView> {
    const person = await this.accounts.get(caller.accountId);
    const visible = await this.visible(caller, person, [id]);
    if (visible.length === 0) throw notFound('edit');
    const [view] = await this.render(caller, person, visible, ['target', 'permissions']);
    return view!;
  }

  /** Several edits at once: by id, in the order asked for, or a page of what a filter finds. */
  async view(caller: Caller, { ids, filter, include = [], limit, cursor }: ViewEdits): Promise<EditViews> {
    if ((ids === undefined) === (filter === undefined)) {
      throw invalidRequest([{ path: 'ids', code: 'not_together', message: 'Ask for either ids or a filter.' }]);
    }
    const person = await this.accounts.get(caller.accountId);
    if (ids) return this.viewIds(caller, person, [...new Set(ids)], include);
    const { data, page } = await this.find(caller, person, filter!, { limit, cursor: cursor ?? null });
    return { data: await this.render(caller, person, data, include), missing: [], page };
  }

  private async viewIds(caller: Caller, person: Account, ids: string[], include: Include[]): Promise<EditViews> {
    const visible = new Map((await this.visible(caller, person, ids)).map((edit) => [edit.id, edit]));
    const asked = ids.flatMap((id) => visible.get(id) ?? []);
    return {
      data: await this.render(caller, person, asked, include),
      missing: ids.filter((id) => !visible.has(id)),
      page: { limit: 100, nextCursor: null },
    };
  }

  private async visible(caller: Caller, person: Account, ids: string[]): Promise<Edit[]> {
    const edits = await this.edits.find(ids);
    const targetOf = await this.targets.look(edits);
    return edits.filter((edit) => maySee(caller, person, reviewed(edit, targetOf(edit))));
  }

  /** @throws ApiError 403 where an app that does not review asks for what is reviewable */
  private async find(
    caller: Caller,
    person: Account,
    filter: EditsFilter,
    query: { limit: number; cursor: string | null },
  ): ReturnType<EditsService['page']> {
    if (filter.which === 'mine') {
      return this.edits.page(wheresOf({ authorId: person.id }, filter), 'createdAt', 'DESC', query);
    }
    if (!caller.scopes.has(REVIEW_SCOPE)) throw missingScope(REVIEW_SCOPE);
    const wheres = queuesOf(person, filter.status)
      .filter(({ targetType }) => targetType === (filter.targetType ?? targetType))
      .flatMap((queue) =>
        wheresOf({ authorId: Not(person.id), ...queue }, { ...filter, status: filter.status ?? ['open'] }),
      );
    if (wheres.length === 0) return { data: [], page: { limit: query.limit, nextCursor: null } };
    const keep = async (edits: Edit[]): Promise<Edit[]> => {
      const targetOf = await this.targets.look(edits);
      return edits.filter((edit) => couldReview(person, reviewed(edit, targetOf(edit))));
    };
    return this.edits.page(wheres, 'createdAt', 'ASC', query, keep);
  }

  private async render(caller: Caller, person: Account, edits: Edit[], include: Include[]): Promise<EditView[]> {
    const targetOf = await this.targets.look(edits);
    const names = await this.artistNames(edits);
    const views: EditView[] = [];
    for (const edit of edits) {
      const target = targetOf(edit);
      const view = this.viewOf(edit, target, names);
      if (include.includes('target')) view.target = shownTarget(target);
      if (include.includes('permissions')) {
        view.permissions = allowedOf(await actionsOn(this.verdicts, this.manager, caller, person, edit, target));
      }
      views.push(view);
    }
    return views;
  }

  private viewOf(edit: Edit, target: Target | undefined, names: Map<string, string>): EditView {
    const diff = diffOf(edit, target ? this.targets.of(edit.targetType).fieldsOf(target) : {});
    return {
      edit: toEditResponse(edit),
      summary: summaryOf(edit, target, names),
      diff,
      conflicted: edit.status === 'open' && edit.type === 'update' && diff.some(({ state }) => state === 'conflict'),
      authorBlocked: edit.author.blockedAt !== null,
    };
  }

  private async artistNames(edits: Edit[]): Promise<Map<string, string>> {
    const changes = edits.flatMap((edit) => edit.changes.filter(({ field }) => field === 'artistIds'));
    const ids = new Set(changes.flatMap(({ from, to }) => [from, to].flat() as (string | null)[]));
    const artists = await this.artists.look([...ids].filter((id) => id !== null));
    return new Map(artists.map(({ id, name }) => [id, name]));
  }
}

/**
 * What lies in a person's queue, so that the rest need not be read; whether they may review it is asked of each edit. An
 * open edit goes where its artwork goes, and one that is decided stays where it was: then it is the artwork that counts.
 */
function queuesOf({ role, regions }: Account, status: EditStatus[] = ['open']): Queue[] {
  if (role === 'member') return [];
  const everywhere = regions.includes(EVERYWHERE);
  const artists: Queue[] = everywhere || role === 'moderator' ? [{ targetType: 'artist' }] : [];
  if (everywhere) return [{ targetType: 'artwork' }, ...artists];
  const open: Queue = { targetType: 'artwork', regionId: In(regions) };
  const decided: Queue = { targetType: 'artwork', targetId: liesIn(regions) };
  return status.every((one) => one === 'open') ? [open, ...artists] : [open, decided, ...artists];
}

/** Ids of artworks that lie in one of these regions. */
function liesIn(regions: string[]): FindOperator<string> {
  const inside = `SELECT "id" FROM "markers" WHERE "region_id" IN (:...regions)`;
  return Raw((column) => `${column} IN (${inside})`, { regions }) as FindOperator<string>;
}

interface Queue {
  targetType: TargetType;
  regionId?: FindOperator<string>;
  targetId?: FindOperator<string>;
}

/** What edits must fulfil: for each of the areas that a box is made of, if there is one. */
function wheresOf(
  base: FindOptionsWhere<Edit> & Partial<Queue>,
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
  return areasOf(bbox).map(({ west, south, east, north }) => ({
    ...where,
    latE7: Between(south, north),
    lonE7: Between(west, east),
  }));
}

function shownTarget(target: Target | undefined): EditView['target'] {
  return target ? { id: target.id, version: target.version, title: nameOf(target)! } : null;
}
