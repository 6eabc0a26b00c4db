import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../identity/accounts/account.entity.js';
import { AccountMailService } from '../../identity/accounts/account-mail.service.js';
import { checkNotBlocked } from '../../identity/accounts/account-permissions.js';
import { AccountsStore } from '../../identity/accounts/accounts.store.js';
import type { Actor } from '../../identity/scopes/caller.decorator.js';
import { ArtistRenamesService } from '../artists/artist-renames.service.js';
import { ArtistsStore } from '../artists/artists.store.js';
import type { FieldChange } from '../history/entity-version.entity.js';
import { toTexts } from '../history/field-changes.js';
import { HistoryService } from '../history/history.service.js';
import { EditTargetsService, type Target } from './edit-targets.service.js';
import type { Edit } from './edit.entity.js';
import { EditsStore } from './edits.store.js';
import { invertEdit } from './rules/edit-changes.js';
import type { EditContext } from './rules/evaluate-edit.js';
import type { EditDenial } from './rules/rule-result.js';
import { SuggestionQuotaService } from './suggest/suggestion-quota.service.js';

/** An edit with its target, which is undefined if it does not exist yet. */
export interface EditWithTarget {
  edit: Edit;
  target: Target | undefined;
}

/**
 * Loads the data that the rules need to evaluate actions on edits. The rules read nothing from the
 * database.
 */
@Injectable()
export class EditContextLoader {
  constructor(
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly history: HistoryService,
    private readonly artists: ArtistsStore,
    private readonly renames: ArtistRenamesService,
    private readonly accounts: AccountsStore,
    private readonly mail: AccountMailService,
    private readonly quota: SuggestionQuotaService,
  ) {}

  /**
   * Locks the account, the target and the edit, in this order, and returns the context of the edit;
   * null if the edit does not exist. All transactions lock a target before its edits, because a
   * move updates the target's open edits.
   */
  async loadForUpdate(tx: EntityManager, actor: Actor, id: string): Promise<EditContext | null> {
    const person = await this.accounts.findCallerForUpdate(tx, actor);
    const header = await this.edits.findHeader(tx, id);
    if (!header) return null;
    if (header.targetType === 'artist') await this.renames.prepare(tx);
    const target = await this.targets.findForUpdate(tx, header);
    const edit = (await this.edits.findForUpdate(tx, id))!;
    const [context] = await this.loadMany(person, [{ edit, target }], tx);
    return { ...context!, targetIdChanged: edit.targetId !== header.targetId };
  }

  /** Checks whether a person can suggest edits at all. */
  checkSuggester(person: Account): EditDenial | null {
    return checkNotBlocked(person) ?? this.mail.checkConfirmed(person);
  }

  /** Returns the contexts of several edits, in two queries at most. */
  async loadMany(person: Account, items: EditWithTarget[], tx?: EntityManager): Promise<EditContext[]> {
    const appliedChanges = await this.loadAppliedChanges(items, tx);
    // Only authors replace edits, so the quota of other people is not read.
    const isAuthor = items.some(({ edit }) => edit.authorId === person.id);
    const quotaDenial = isAuthor ? this.quota.check(await this.quota.read(person, tx)) : null;
    const suggestDenial = this.checkSuggester(person) ?? quotaDenial;
    const contexts = items.map(({ edit, target }, index) => ({
      person,
      edit,
      target,
      targetFields: target ? this.targets.getStore(edit.targetType).toFieldValues(target) : {},
      appliedChanges: appliedChanges[index]!,
      unknownArtistIds: [],
      targetIdChanged: false,
      suggestDenial,
    }));
    const artistIds = [...new Set(contexts.flatMap(collectArtistIds))];
    if (artistIds.length === 0) return contexts;
    const unknownArtistIds = await this.artists.findUnknownIds(artistIds, tx);
    return contexts.map((context) => ({ ...context, unknownArtistIds }));
  }

  /**
   * An accepted update can have changed less than suggested, or nothing: the history has what it
   * changed.
   */
  private async loadAppliedChanges(items: EditWithTarget[], tx?: EntityManager): Promise<FieldChange[][]> {
    const versions = await this.history.findVersions(
      items.flatMap(({ edit: { status, type, targetId, resultVersion } }) =>
        status === 'accepted' && type === 'update' ? [{ targetId: targetId!, version: resultVersion! }] : [],
      ),
      tx,
    );
    return items.map(({ edit }) => {
      if (edit.type !== 'update' || edit.status !== 'accepted') return edit.changes;
      return versions.find(({ editId }) => editId === edit.id)?.changes ?? [];
    });
  }
}

/**
 * Artists that the next action on an edit can write: accepting it if it is open, reverting it if it
 * is accepted.
 */
function collectArtistIds({ edit, appliedChanges, targetFields }: EditContext): string[] {
  if (edit.status !== 'open' && edit.status !== 'accepted') return [];
  const { type, changes } = edit.status === 'open' ? edit : invertEdit(edit, appliedChanges);
  if (type === 'delete') return [];
  const changed = changes.flatMap(({ field, from, to }) => (field === 'artistIds' ? [from, to] : []));
  const current = type === 'create' || changed.length > 0 ? [targetFields['artistIds'] ?? null] : [];
  return [...changed, ...current].flatMap(toTexts);
}
