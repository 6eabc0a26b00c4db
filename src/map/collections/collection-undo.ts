import type { AppAction } from '../../identity/app-record/app-action.entity.js';
import type { Collection } from './collection.entity.js';
import type { ItemPosition, StoredItem } from './collections.store.js';

/** The fields of a collection that an app can change. */
type Fields = Pick<Collection, 'name' | 'description' | 'visibility'>;

/** The name of the created collection, to show when it is deleted. */
export type CreatedUndo = Pick<Collection, 'name'>;

/** Undoes `collection.changed`: the changed fields as they were, or the note of an item. */
export type FieldsChangedUndo = { before: Partial<Fields> };
export type NoteChangedUndo = { markerId: string; noteBefore: string | null };

/** Undoes `collection.deleted`. */
export type DeletedUndo = Fields & { createdAtMs: number; items: StoredItem[] };

/** Undoes `collection.items_added`. */
export type ItemsAddedUndo = { markerIds: string[] };

/** Undoes `collection.item_removed`. */
export type ItemsRemovedUndo = { items: StoredItem[] };

/** Undoes `collection.ordered`. */
export type OrderedUndo = { positions: ItemPosition[] };

/** One line to undo. */
export interface UndoStep {
  line: AppAction;
  /** Of a line about items: those that no other app has changed since. */
  markerIds: string[];
  /** The others. They stay, and the line stays for them. */
  rest: string[];
}

/** Why a line cannot be undone: the later line that changed the same. */
export interface UndoConflict {
  changedBy: AppAction;
}

/** Returns the target of a line: a collection, and its version after the write. */
export function toTarget({ id, version }: Pick<Collection, 'id' | 'version'>): {
  targetId: string;
  targetVersion: number;
} {
  return { targetId: id, targetVersion: version };
}

/** Returns what a change of fields needs to be undone; null if no field has another value. */
export function findChangedFields(before: Fields, after: Fields): FieldsChangedUndo | null {
  const changed = FIELDS.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return null;
  return { before: Object.fromEntries(changed.map((field) => [field, before[field]])) };
}

const FIELDS = ['name', 'description', 'visibility'] as const;

/** Returns what a deletion needs to be undone. */
export function toDeletionUndo(
  { name, description, visibility, createdAt }: Fields & Pick<Collection, 'createdAt'>,
  items: StoredItem[],
): DeletedUndo {
  return { name, description, visibility, createdAtMs: createdAt.getTime(), items };
}

/**
 * Plans the undo of a line about a collection. Later lines about the same part of the collection
 * prevent it, unless they are of the same app: those are undone first, the newest first. A line
 * about several items is undone for the items that no other app has changed since.
 * @param lines the lines about the collection that were not undone, the oldest first
 * @returns the steps in their order, the line itself last
 */
export function planUndo(line: AppAction, lines: AppAction[]): UndoStep[] | UndoConflict {
  const later = lines.filter(({ targetVersion }) => targetVersion! > line.targetVersion!);
  const deletion = later.findLast(({ action }) => action === 'collection.deleted');
  if (deletion) return { changedBy: deletion };
  const foreign = later.filter(({ appId }) => appId !== line.appId);
  const own = later.filter(({ appId }) => appId === line.appId).toReversed();
  if (line.action === 'collection.created') {
    const changedBy = foreign.at(-1);
    return changedBy ? { changedBy } : [...own, line].map((undone) => ({ line: undone, markerIds: [], rest: [] }));
  }
  const markerIds = listMarkerIds(line).filter((markerId) => !findAbout(foreign, [toItemPart(markerId)]));
  const isOfItems = line.action === 'collection.items_added' || line.action === 'collection.item_removed';
  const parts = isOfItems && markerIds.length > 0 ? markerIds.map(toItemPart) : listParts(line);
  // A removed item returns to its place, which another order does not have.
  if (line.action === 'collection.item_removed') parts.push(ORDER);
  const changedBy = findAbout(foreign, parts);
  return changedBy ? { changedBy } : planAfter(line, markerIds, { own, parts, lines });
}

/** Plans the undo of a line after the later lines of its app about the same parts. */
function planAfter(
  line: AppAction,
  markerIds: string[],
  { own, parts, lines }: { own: AppAction[]; parts: string[]; lines: AppAction[] },
): UndoStep[] | UndoConflict {
  const steps: UndoStep[] = [];
  for (const later of own.filter((other) => findAbout([other], parts))) {
    const planned = new Set(steps.map((step) => step.line));
    if (planned.has(later)) continue;
    const plan = planUndo(
      later,
      lines.filter((other) => !planned.has(other)),
    );
    if (!Array.isArray(plan)) return plan;
    steps.push(...plan);
  }
  return [...steps, { line, markerIds, rest: listMarkerIds(line).filter((markerId) => !markerIds.includes(markerId)) }];
}

/** Returns the last line about one of the parts of a collection. */
function findAbout(lines: AppAction[], parts: string[]): AppAction | undefined {
  return lines.findLast((line) => listParts(line).some((part) => parts.includes(part)));
}

const ORDER = 'order';

function toItemPart(markerId: string): string {
  return `item ${markerId}`;
}

/** The parts of a collection that a line changed. */
function listParts(line: AppAction): string[] {
  if (line.action === 'collection.ordered') return [ORDER];
  if (line.action === 'collection.changed' && 'before' in line.undo!) {
    return Object.keys((line.undo as FieldsChangedUndo).before);
  }
  return listMarkerIds(line).map(toItemPart);
}

/** Returns the data of a line about items that was undone for all others. */
export function keepItems({ action, undo }: AppAction, markerIds: string[]): ItemsAddedUndo | ItemsRemovedUndo {
  if (action === 'collection.items_added') return { markerIds };
  return { items: (undo as ItemsRemovedUndo).items.filter(({ markerId }) => markerIds.includes(markerId)) };
}

/** The artworks that a line added, removed, or gave a note. */
function listMarkerIds({ action, undo }: AppAction): string[] {
  if (action === 'collection.items_added') return (undo as ItemsAddedUndo).markerIds;
  if (action === 'collection.item_removed') return (undo as ItemsRemovedUndo).items.map(({ markerId }) => markerId);
  if (action === 'collection.changed' && 'markerId' in undo!) return [(undo as NoteChangedUndo).markerId];
  return [];
}

/**
 * Makes room for items at given positions. Where another item has one, it and the items behind it
 * move by one.
 * @returns the new positions of the items that move
 */
export function makeRoom(others: ItemPosition[], restored: Pick<ItemPosition, 'position'>[]): ItemPosition[] {
  const positions = new Map(others.map(({ markerId, position }) => [markerId, position]));
  for (const { position } of [...restored].sort((one, other) => one.position - other.position)) {
    if (![...positions.values()].includes(position)) continue;
    for (const [markerId, current] of positions) if (current >= position) positions.set(markerId, current + 1);
  }
  return others
    .map(({ markerId }) => ({ markerId, position: positions.get(markerId)! }))
    .filter(({ position }, index) => position !== others[index]!.position);
}
