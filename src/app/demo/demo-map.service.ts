import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../identity/accounts/account.entity.js';
import type { App } from '../../identity/apps/app.entity.js';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { ArtistsStore } from '../../map/artists/artists.store.js';
import { CollectionsStore } from '../../map/collections/collections.store.js';
import { createEdit, createInverseEdit } from '../../map/edits/edit-factory.js';
import { EditTargetsService, type Target } from '../../map/edits/edit-targets.service.js';
import type { EditRow } from '../../map/edits/edit.entity.js';
import { EditsStore } from '../../map/edits/edits.store.js';
import { invertEdit } from '../../map/edits/rules/edit-changes.js';
import type { FieldValues } from '../../map/history/entity-version.entity.js';
import { diffFields } from '../../map/history/field-changes.js';
import { MarkersStore } from '../../map/markers/markers.store.js';
import type { DemoCollection, DemoData, DemoEdit } from './demo-data.js';

const DAY_MS = 24 * 3600 * 1000;

/** Accounts and apps of the demo's edits and collections. */
interface DemoActors {
  people: Account[];
  apps: App[];
}

/** Creates the demo's map: artists, artworks, places, edits and collections. */
@Injectable()
export class DemoMapService {
  constructor(
    private readonly artists: ArtistsStore,
    private readonly markers: MarkersStore,
    private readonly targets: EditTargetsService,
    private readonly edits: EditsStore,
    private readonly collections: CollectionsStore,
  ) {}

  /** Inserts all rows of the demo's map. */
  async load(tx: EntityManager, data: DemoData, actors: DemoActors): Promise<void> {
    const { artists, markers, edits, collections } = data;
    const now = new Date();
    for (const { locked: _, ...artist } of artists) await this.artists.create(tx, artist);
    await this.markers.createMany(
      tx,
      markers.map(({ locked: _, deleted: __, ...marker }) => marker),
    );
    await this.artists.lock(tx, toIds(artists.filter(({ locked }) => locked)), now);
    await this.markers.lock(tx, toIds(markers.filter(({ locked }) => locked)), now);
    for (const { id } of markers.filter(({ deleted }) => deleted)) await this.deleteMarker(tx, id, now);
    for (const edit of edits) await this.createEdit(tx, actors, edit);
    for (const collection of collections) await this.createCollection(tx, actors, collection, now);
  }

  /** Deletes a marker without an edit, as an operator does. */
  private async deleteMarker(tx: EntityManager, id: string, deletedAt: Date): Promise<void> {
    const marker = await this.markers.findForUpdate(tx, id);
    await this.markers.setDeleted(tx, marker!, deletedAt);
  }

  /**
   * Creates an edit with its decision, if it has one, and applies an accepted edit to its target.
   */
  private async createEdit(tx: EntityManager, actors: DemoActors, demo: DemoEdit): Promise<void> {
    const app = actors.apps.find(({ name }) => name === demo.app)!;
    const accountId = findAccountId(actors, demo.author);
    const caller = { accountId, appId: app.id, scopes: new Set<never>(), issuedAtMs: Date.now() };
    const edit = await this.buildEdit(tx, caller, demo);
    if (demo.reverts) await this.edits.update(tx, demo.reverts, { status: 'reverted', revertedBy: edit.id });
    const { decision } = demo;
    if (decision) {
      const decidedAt = new Date(Date.now() - decision.daysAgo * DAY_MS);
      const decidedById = findAccountId(actors, decision.by ?? demo.author);
      const decided = { decidedAt, updatedAt: decidedAt, decidedById, status: decision.status };
      Object.assign(edit, decided, { decisionComment: decision.comment ?? null });
    }
    if (edit.status === 'accepted') Object.assign(edit, await this.applyToTarget(tx, edit, demo.targetId));
    await this.edits.insert(tx, edit);
    if (edit.status === 'open') await this.targets.adjustOpenEditCount(tx, edit, 1);
  }

  private async buildEdit(tx: EntityManager, caller: Caller, demo: DemoEdit): Promise<EditRow> {
    const { id, type, targetType, comment, sourceUrl, supersedes, daysAgo } = demo;
    const createdAt = new Date(Date.now() - daysAgo * DAY_MS);
    const times = { createdAt, updatedAt: createdAt };
    if (demo.reverts) {
      const reverted = await this.edits.get(tx, demo.reverts);
      const inverse = createInverseEdit(reverted, invertEdit(reverted, reverted.changes), caller, comment);
      return { ...inverse, id, ...times, decidedAt: createdAt };
    }
    const store = this.targets.getStore(targetType);
    const target = demo.type === 'create' ? null : ((await store.findForUpdate(tx, demo.targetId)) as Target);
    const { regionId = null, latE7 = null, lonE7 = null } = target ?? (await this.resolveLocation(tx, demo));
    const changes = diffFields(target ? store.toFieldValues(target) : {}, demo.changes);
    const suggestion = { type, targetType, comment, sourceUrl, supersedes, baseVersion: target?.version };
    const location = { regionId, destinationRegionId: regionId, latE7, lonE7 };
    return { ...createEdit(caller, suggestion, { targetId: target?.id ?? null, ...location, changes }), id, ...times };
  }

  private async resolveLocation(tx: EntityManager, { changes }: DemoEdit): Promise<Partial<Target>> {
    return changes['location']
      ? this.markers.resolveLocation(tx, changes['location'] as { lat: number; lon: number })
      : {};
  }

  private async applyToTarget(
    tx: EntityManager,
    edit: EditRow,
    newTargetId: string,
  ): Promise<Pick<EditRow, 'targetId' | 'resultVersion'>> {
    const store = this.targets.getStore(edit.targetType);
    const by = { editId: edit.id, authorId: edit.authorId, createdAt: edit.decidedAt! };
    const fields: FieldValues = Object.fromEntries(edit.changes.map(({ field, to }) => [field, to]));
    const target =
      edit.targetId === null
        ? await this.targets.create(tx, edit.targetType, { ...fields, id: newTargetId }, by)
        : await store.update(tx, (await store.findForUpdate(tx, edit.targetId))!, fields, by);
    return { targetId: target.id, resultVersion: target.version };
  }

  private async createCollection(
    tx: EntityManager,
    actors: DemoActors,
    { owner, items, ...collection }: DemoCollection,
    now: Date,
  ): Promise<void> {
    const counts = { itemCount: items.length, version: 1, createdAt: now, updatedAt: now };
    await this.collections.insert(tx, { ...collection, ownerId: findAccountId(actors, owner), ...counts });
    await this.collections.insertItems(tx, collection.id, items, now);
  }
}

function findAccountId({ people }: DemoActors, username: string): string {
  return people.find((person) => person.username === username)!.id;
}

function toIds(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
