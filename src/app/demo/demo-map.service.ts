import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../identity/accounts/account.entity.js';
import type { App } from '../../identity/clients/app.entity.js';
import { Artist } from '../../map/artists/artist.entity.js';
import { ArtistsStore } from '../../map/artists/artists.store.js';
import { CollectionItem } from '../../map/collections/collection-item.entity.js';
import { Collection } from '../../map/collections/collection.entity.js';
import { EditTargetsService, type Target } from '../../map/edits/edit-targets.service.js';
import { Edit } from '../../map/edits/edit.entity.js';
import { type EditRow, invertEdit, createEdit, createInverseEdit } from '../../map/edits/edit-factory.js';
import type { FieldValues } from '../../map/history/entity-version.entity.js';
import { diffFields } from '../../map/history/field-changes.js';
import { Marker } from '../../map/markers/marker.entity.js';
import { MarkersStore } from '../../map/markers/markers.store.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { ARTISTS } from './artists.data.js';
import { COLLECTIONS } from './collections.data.js';
import { type DemoEdit, EDITS } from './edits.data.js';
import { MARKERS } from './markers.data.js';

const DAY_MS = 24 * 3600 * 1000;

/** Who the demo's edits and collections are by. */
interface DemoActors {
  people: Account[];
  apps: App[];
}

/** The demo's map: artists, artworks and places, what people suggested for them, and the lists they keep. */
@Injectable()
export class DemoMapService {
  constructor(
    private readonly artists: ArtistsStore,
    private readonly markers: MarkersStore,
    private readonly targets: EditTargetsService,
  ) {}

  async load(tx: EntityManager, cast: DemoActors): Promise<void> {
    const now = new Date();
    for (const { locked: _, ...artist } of ARTISTS) await this.artists.create(tx, artist);
    await this.markers.createMany(
      tx,
      MARKERS.map(({ locked: _, deleted: __, ...marker }) => marker),
    );
    for (const { id } of ARTISTS.filter(({ locked }) => locked)) await tx.update(Artist, { id }, { lockedAt: now });
    for (const { id } of MARKERS.filter(({ locked }) => locked)) await tx.update(Marker, { id }, { lockedAt: now });
    for (const { id } of MARKERS.filter(({ deleted }) => deleted)) await this.deleteMarker(tx, id, now);
    for (const edit of EDITS) await this.createEdit(tx, cast, edit);
    for (const collection of COLLECTIONS) await loadCollection(tx, cast, collection, now);
  }

  /** Takes a marker off the map, as an operator would. */
  private async deleteMarker(tx: EntityManager, id: string, at: Date): Promise<void> {
    const marker = await this.markers.findForUpdate(tx, id);
    await this.markers.setDeleted(tx, marker!, at);
  }

  /** Suggests an edit, and decides it where the demo says how. */
  private async createEdit(tx: EntityManager, { people, apps }: DemoActors, demo: DemoEdit): Promise<void> {
    const accountId = (username: string): string => people.find((person) => person.username === username)!.id;
    const app = apps.find(({ name }) => name === demo.app)!;
    const caller = { accountId: accountId(demo.author), appId: app.id, scopes: new Set<never>() };
    const edit = await this.buildEdit(tx, caller, demo);
    if (demo.reverts) await tx.update(Edit, { id: demo.reverts }, { status: 'reverted', revertedBy: edit.id });
    const { decision } = demo;
    if (decision) {
      const decidedAt = new Date(Date.now() - decision.daysAgo * DAY_MS);
      const by = decision.by ?? demo.author;
      const decided = { decidedAt, updatedAt: decidedAt, decidedById: accountId(by), status: decision.status };
      Object.assign(edit, decided, { decisionComment: decision.comment ?? null });
    }
    if (edit.status === 'accepted') Object.assign(edit, await this.applyToTarget(tx, edit, demo.targetId));
    await tx.insert(Edit, edit);
    if (edit.status === 'open') await this.targets.adjustOpenEditCount(tx, edit, 1);
  }

  private async buildEdit(tx: EntityManager, caller: Caller, demo: DemoEdit): Promise<EditRow> {
    const { id, type, targetType, comment, sourceUrl, supersedes, daysAgo } = demo;
    const at = new Date(Date.now() - daysAgo * DAY_MS);
    if (demo.reverts) {
      const undone = await tx.findOneByOrFail(Edit, { id: demo.reverts });
      return {
        ...createInverseEdit(undone, invertEdit(undone, undone.changes), caller, comment),
        id,
        createdAt: at,
        updatedAt: at,
        decidedAt: at,
      };
    }
    const store = this.targets.getStore(targetType);
    const target = demo.type === 'create' ? null : ((await store.findForUpdate(tx, demo.targetId!)) as Target);
    const { regionId = null, latE7 = null, lonE7 = null } = target ?? (await this.resolveLocation(tx, demo));
    const changes = diffFields(target ? store.toFieldValues(target) : {}, demo.changes);
    const given = { type, targetType, comment, baseVersion: target?.version ?? null };
    const found = { targetId: target?.id ?? null, regionId, destinationRegionId: regionId, latE7, lonE7, changes };
    const more = { ...(sourceUrl && { sourceUrl }), ...(supersedes && { supersedes }) };
    return { ...createEdit(caller, { ...given, ...more }, found), id, createdAt: at, updatedAt: at };
  }

  private async resolveLocation(tx: EntityManager, { changes }: DemoEdit): Promise<Partial<Target>> {
    return changes['location']
      ? this.markers.resolveLocation(tx, changes['location'] as { lat: number; lon: number })
      : {};
  }

  /** Writes an accepted edit to its target. */
  private async applyToTarget(
    tx: EntityManager,
    edit: EditRow,
    newTargetId: string | null,
  ): Promise<Pick<EditRow, 'targetId' | 'resultVersion'>> {
    const store = this.targets.getStore(edit.targetType);
    const by = { editId: edit.id, authorId: edit.authorId, createdAt: edit.decidedAt! };
    const fields: FieldValues = Object.fromEntries(edit.changes.map(({ field, to }) => [field, to]));
    if (edit.targetId === null) {
      const given = { ...fields, ...(newTargetId && { id: newTargetId }) };
      const made = await this.targets.create(tx, edit.targetType, given, by);
      return { targetId: made.id, resultVersion: made.version };
    }
    const target = (await store.findForUpdate(tx, edit.targetId))!;
    await store.update(tx, target, fields, by);
    return { targetId: target.id, resultVersion: target.version + 1 };
  }
}

async function loadCollection(
  tx: EntityManager,
  { people }: DemoActors,
  { owner, markerIds, notes = {}, ...list }: (typeof COLLECTIONS)[number],
  now: Date,
): Promise<void> {
  const ownerId = people.find(({ username }) => username === owner)!.id;
  const counted = { itemCount: markerIds.length, version: 1, createdAt: now, updatedAt: now };
  await tx.insert(Collection, { ...list, ownerId, ...counted });
  const items = markerIds.map((markerId, at) => ({
    collectionId: list.id,
    markerId,
    position: at + 1,
    note: notes[markerId] ?? null,
    addedAt: now,
  }));
  if (items.length > 0) await tx.insert(CollectionItem, items);
}
