import { Injectable } from '@nestjs/common';
import type { Account } from '../../identity/accounts/account.entity.js';
import { type Action, type AppAction, getTargetType } from '../../identity/app-record/app-action.entity.js';
import { AppRecordService, type RecordKey } from '../../identity/app-record/app-record.service.js';
import { createPersonActor } from '../../identity/scopes/caller.decorator.js';
import { CollectionUndoService } from '../../map/collections/collection-undo.service.js';
import type { CreatedUndo } from '../../map/collections/collection-undo.js';
import { CollectionsStore } from '../../map/collections/collections.store.js';
import { EditContextLoader } from '../../map/edits/edit-context.loader.js';
import { EditTargetsService, getTargetTitle } from '../../map/edits/edit-targets.service.js';
import type { Edit, EditStatus } from '../../map/edits/edit.entity.js';
import { EditsStore } from '../../map/edits/edits.store.js';
import { canViewEdit, toReviewSubject } from '../../map/edits/rules/edit-permissions.js';
import { evaluateEdit } from '../../map/edits/rules/evaluate-edit.js';
import type { Page } from '../../platform/database/keyset-pagination.js';
import { UNDO_ALL_AGE_MS } from './undo.service.js';

const PAGE_SIZE = 50;

/** Lines that are searched for those that stayed. */
const MAX_LEFT_LINES = 500;

function getUndoAllStart(): Date {
  return new Date(Date.now() - UNDO_ALL_AGE_MS);
}

/** Whether a line can be undone, and if not, why. */
export type LineState =
  | { kind: 'undoable' }
  | { kind: 'undone'; at: Date }
  /** Another line changed the same collection since. */
  | { kind: 'changed'; by: AppAction }
  /** The suggestion is not open any more. */
  | { kind: 'decided'; status: EditStatus }
  /** No action undoes it, or not one of this person. */
  | { kind: 'final' };

/** A line of the record, as the page shows it. */
export interface RecordLine {
  action: AppAction;
  /** The edit, if the line is about one. */
  edit: Edit | undefined;
  /** Title of the artwork or artist, or name of the collection. */
  title: string;
  /** Whether the collection exists, or the person can see the edit. */
  exists: boolean;
  state: LineState;
}

/** Shows the record of an app: what each line concerns, and whether it can be undone. */
@Injectable()
export class RecordViewService {
  constructor(
    private readonly record: AppRecordService,
    private readonly collections: CollectionsStore,
    private readonly collectionUndo: CollectionUndoService,
    private readonly edits: EditsStore,
    private readonly targets: EditTargetsService,
    private readonly contexts: EditContextLoader,
  ) {}

  /** Returns a page of the record of an app, the newest line first. */
  async findPage(person: Account, appId: string, cursor: string | null): Promise<Page<RecordLine>> {
    const { data, page } = await this.record.findPage({ accountId: person.id, appId }, { limit: PAGE_SIZE, cursor });
    return { data: await this.toLines(person, data), page };
  }

  /** Returns the changes of collections that "Remove access and undo" leaves as they are. */
  async findLeft(person: Account, appId: string): Promise<RecordLine[]> {
    const key: RecordKey = { accountId: person.id, appId };
    const actions = await this.record.listCollectionActions(key, { since: getUndoAllStart(), limit: MAX_LEFT_LINES });
    return (await this.toLines(person, actions)).filter(({ state }) => state.kind === 'changed');
  }

  /** Whether "Remove access and undo" can find something to undo. */
  async hasRecentChanges(accountId: string, appId: string): Promise<boolean> {
    const list = { since: getUndoAllStart(), limit: 1 };
    return (await this.record.listCollectionActions({ accountId, appId }, list)).length > 0;
  }

  private async toLines(person: Account, actions: AppAction[]): Promise<RecordLine[]> {
    const byType = (type: string): AppAction[] => actions.filter(({ action }) => getTargetType(action) === type);
    const lines = [
      ...(await this.toEditLines(person, byType('edit'))),
      ...(await this.toCollectionLines(person, byType('collection'))),
    ];
    const byAction = new Map(lines.map((line) => [line.action, line]));
    return actions.map((action) => byAction.get(action)!);
  }

  private async toCollectionLines({ id: accountId }: Account, actions: AppAction[]): Promise<RecordLine[]> {
    const conflicts = await this.collectionUndo.findConflicts(accountId, actions);
    const found = await this.collections.findNames(actions.map(({ targetId }) => targetId));
    const deleted = new Map(actions.flatMap(({ targetId, undo }) => (hasName(undo) ? [[targetId, undo.name]] : [])));
    return actions.map((action, index) => {
      const { targetId, undoneAt } = action;
      const conflict = conflicts[index];
      const state: LineState = undoneAt
        ? { kind: 'undone', at: undoneAt }
        : conflict
          ? { kind: 'changed', by: conflict.changedBy }
          : { kind: 'undoable' };
      const title = found.get(targetId) ?? deleted.get(targetId) ?? targetId;
      return { action, edit: undefined, title, exists: found.has(targetId), state };
    });
  }

  private async toEditLines(person: Account, actions: AppAction[]): Promise<RecordLine[]> {
    const edits = await this.edits.findMany([...new Set(actions.map(({ targetId }) => targetId))]);
    const findTarget = await this.targets.loadLookup(edits);
    const contexts = await this.contexts.loadMany(
      person,
      edits.map((edit) => ({ edit, target: findTarget(edit) })),
    );
    return actions.map((action) => {
      const context = contexts.find(({ edit }) => edit.id === action.targetId)!;
      const { edit, target } = context;
      const canRevert = evaluateEdit('revert', context).allowed;
      const title = getTargetTitle(edit, target);
      const exists = canViewEdit(createPersonActor(person.id), person, toReviewSubject(edit, target));
      return { action, edit, title, exists, state: findEditState(action, edit, canRevert) };
    });
  }
}

/** The actions that no one can undo. */
const FINAL: Action[] = ['edit.withdrawn', 'edit.rejected', 'edit.reverted'];

function findEditState({ action, undoneAt }: AppAction, { status }: Edit, canRevert: boolean): LineState {
  if (undoneAt) return { kind: 'undone', at: undoneAt };
  if (FINAL.includes(action)) return { kind: 'final' };
  if (action === 'edit.accepted' && status === 'accepted') return { kind: canRevert ? 'undoable' : 'final' };
  return action === 'edit.suggested' && status === 'open' ? { kind: 'undoable' } : { kind: 'decided', status };
}

function hasName(undo: object | null): undo is CreatedUndo {
  return undo !== null && 'name' in undo;
}
