import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../../identity/accounts/account.entity.js';
import { AppRecordService } from '../../../identity/app-record/app-record.service.js';
import { AccountsStore } from '../../../identity/accounts/accounts.store.js';
import type { Caller } from '../../../identity/scopes/caller.decorator.js';
import { createInvalidRequestError } from '../../../platform/errors/request-errors.js';
import {
  type IdempotencyKey,
  IdempotentWritesService,
  type Written,
} from '../../../platform/idempotency/idempotent-writes.service.js';
import { ArtistsStore } from '../../artists/artists.store.js';
import type { FieldChange, FieldValues } from '../../history/entity-version.entity.js';
import { toTexts } from '../../history/field-changes.js';
import { HistoryService } from '../../history/history.service.js';
import { toPointE7 } from '../../regions/geo.js';
import type { Location } from '../../regions/location.dto.js';
import { toPhoto } from '../../markers/photo.dto.js';
import { RegionsService } from '../../regions/regions.service.js';
import {
  assertEditAllowed,
  createEditNotFoundError,
  createTargetGoneError,
  createTargetNotFoundError,
  toEditError,
} from '../edit-errors.js';
import { EditContextLoader } from '../edit-context.loader.js';
import { createEdit, type EditTargetData } from '../edit-factory.js';
import { EditTargetsService, type Target } from '../edit-targets.service.js';
import { restrictEditResponse, type SuggestEditResponse, toEditWriteResponse } from '../edit.dto.js';
import { type EditHeader, EditsStore } from '../edits.store.js';
import { checkSuggestPermission } from '../rules/edit-permissions.js';
import { checkAction, checkReferences } from '../rules/evaluate-edit.js';
import type { EditDenial } from '../rules/rule-result.js';
import { checkNotDuplicate, checkTarget, computeChanges } from '../rules/suggestion-rules.js';
import type { SuggestEditRequest } from './suggest-edit.dto.js';
import { SimilarArtworksService } from './similar-artworks.service.js';
import { SuggestionQuotaService } from './suggestion-quota.service.js';
import { checkPhotos, validateSuggestion } from './suggestion-validation.js';

/**
 * Creates suggestions. A suggestion is always open: apps cannot change the map directly, even for
 * moderators.
 */
@Injectable()
export class EditSuggestionsService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly edits: EditsStore,
    private readonly artists: ArtistsStore,
    private readonly regions: RegionsService,
    private readonly history: HistoryService,
    private readonly accounts: AccountsStore,
    private readonly contexts: EditContextLoader,
    private readonly idempotentWrites: IdempotentWritesService,
    private readonly record: AppRecordService,
    private readonly similarArtworks: SimilarArtworksService,
    private readonly quota: SuggestionQuotaService,
  ) {}

  /**
   * @param key if it is sent again, the edit is not suggested again
   * @throws DomainError `invalid`, `not_found` or `gone`, `forbidden`, `rate_limited`,
   *   `unprocessable`, `conflict`, in this order
   */
  async suggest(
    caller: Caller,
    request: SuggestEditRequest,
    key?: IdempotencyKey,
  ): Promise<Written<SuggestEditResponse>> {
    const validation = await validateSuggestion(request);
    if ('errors' in validation) throw createInvalidRequestError(validation.errors);
    const { fields } = validation;
    const assertAllowed = (denial: EditDenial | null): void => assertEditAllowed(denial, caller, request.targetType);
    const write = async (tx: EntityManager): Promise<SuggestEditResponse> => {
      const author = await this.accounts.findCallerForUpdate(tx, caller);
      const target = await this.findTargetForUpdate(tx, request);
      const replaced = await this.findReplaced(tx, author, request);
      assertAllowed(this.contexts.checkSuggester(author));
      const quota = await this.quota.read(author, tx);
      assertAllowed(this.quota.check(quota));
      assertAllowed(checkTarget(request, target, replaced));
      if (!replaced) assertAllowed(checkSuggestPermission(author, quota.openEdits));
      assertAllowed(checkReferences(fields, await this.findUnknownArtistIds(tx, fields)));
      if (replaced) {
        const open = await this.edits.findForUpdate(tx, replaced.id);
        assertAllowed(checkAction('supersede', author, open!, target ?? undefined));
      }
      const changes = await this.computeChanges(tx, caller, request, target, fields);
      const edit = createEdit(caller, request, { ...(await this.resolvePlacement(tx, target, fields)), changes });
      const { authorId, targetType } = edit;
      assertAllowed(checkNotDuplicate(edit, await this.edits.findOpenByAuthor(tx, { authorId, targetType })));
      if (replaced) await this.closeReplaced(tx, replaced, author);
      await this.edits.insert(tx, edit);
      await this.targets.adjustOpenEditCount(tx, edit, 1);
      await this.record.record(tx, caller, { action: 'edit.suggested', targetId: edit.id });
      const similar = await this.similarArtworks.find(edit, tx);
      return {
        ...toEditWriteResponse(caller, await this.edits.get(tx, edit.id)),
        ...(similar.length > 0 && { similar }),
      };
    };
    return this.idempotentWrites.run(write, {
      key,
      scope: ['edits', caller.appId, caller.accountId],
      authorize: async (tx) =>
        assertAllowed(this.contexts.checkSuggester(await this.accounts.findCallerForUpdate(tx, caller))),
      restrict: ({ similar, ...response }) => ({
        ...restrictEditResponse(caller, response),
        ...(similar && { similar }),
      }),
    });
  }

  /** Locks and returns the target; null for a creation. @throws DomainError `not_found`, `gone` */
  private async findTargetForUpdate(
    tx: EntityManager,
    { type, targetType, targetId }: SuggestEditRequest,
  ): Promise<Target | null> {
    if (type === 'create') return null;
    const target = await this.targets.getStore(targetType).findForUpdate(tx, targetId!);
    if (!target) throw createTargetNotFoundError(targetType);
    if (target.deletedAt) throw createTargetGoneError(targetType);
    return target;
  }

  /**
   * Returns the edit that the suggestion replaces.
   * @throws DomainError `not_found` if it is not the author's own
   */
  private async findReplaced(
    tx: EntityManager,
    author: Account,
    { supersedes }: SuggestEditRequest,
  ): Promise<EditHeader | null> {
    if (supersedes == null) return null;
    const edit = await this.edits.findHeader(tx, supersedes);
    if (edit?.authorId !== author.id) throw createEditNotFoundError();
    return edit;
  }

  private async findUnknownArtistIds(tx: EntityManager, { artistIds }: FieldValues): Promise<string[]> {
    return this.artists.findUnknownIds(toTexts(artistIds), tx);
  }

  /**
   * Computes the changes since the version that the author saw.
   * @throws DomainError `conflict`, `unprocessable`
   */
  private async computeChanges(
    tx: EntityManager,
    caller: Caller,
    request: SuggestEditRequest,
    target: Target | null,
    suggested: FieldValues,
  ): Promise<FieldChange[]> {
    const { targetType, baseVersion } = request;
    const current = target ? this.targets.getStore(targetType).toFieldValues(target) : {};
    const isCurrent = !target || baseVersion === target.version;
    const seen = isCurrent ? current : await this.findSeen(tx, target, baseVersion!);
    const errors = checkPhotos(suggested, [current, seen ?? {}]);
    if (errors.length > 0) throw createInvalidRequestError(errors);
    const result = computeChanges(request, target, { seen, current, suggested });
    if (!result.allowed) throw toEditError(result, caller, targetType);
    return result.value;
  }

  /** Returns the fields of a version. Versions before the photos have only an `imageUrl`. */
  private async findSeen(tx: EntityManager, { id }: Target, version: number): Promise<FieldValues | null> {
    const snapshot = await this.history.findSnapshot(tx, id, version);
    const url = snapshot?.['imageUrl'];
    return typeof url === 'string' ? { photos: [toPhoto(url)], ...snapshot } : snapshot;
  }

  /**
   * Returns the location and region of the target, and the region that a move would bring it to.
   */
  private async resolvePlacement(
    tx: EntityManager,
    target: Target | null,
    fields: FieldValues,
  ): Promise<Omit<EditTargetData, 'changes'>> {
    const location = fields['location'] as Location | undefined;
    const destination = location ? await this.regions.findRegionId(tx, location) : null;
    const created = { id: null, regionId: destination, ...(location && toPointE7(location)) };
    const { id, regionId, latE7, lonE7 } = target ?? created;
    return {
      targetId: id,
      regionId: regionId ?? null,
      destinationRegionId: target && location ? destination : null,
      latE7: latE7 ?? null,
      lonE7: lonE7 ?? null,
    };
  }

  private async closeReplaced(tx: EntityManager, edit: EditHeader, author: Account): Promise<void> {
    const now = new Date();
    const decision = { status: 'superseded', decidedAt: now, decidedById: author.id, updatedAt: now } as const;
    await this.edits.update(tx, edit.id, decision);
    await this.targets.adjustOpenEditCount(tx, edit, -1);
  }
}
