import { expect } from '@jest/globals';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import { Collection, CollectionItem } from '../../src/map/collections/collection.entity.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { EntityVersion, type FieldValues } from '../../src/map/history/entity-version.entity.js';
import { areValuesEqual } from '../../src/map/history/field-changes.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import type { TestServer } from './test-server.js';

/** A row with a history. */
interface Target {
  id: string;
  version: number;
  deletedAt: Date | null;
}

/** Expects that the history of each artwork and artist, replayed, gives its current state. */
export async function expectHistoryToGiveState(server: TestServer): Promise<void> {
  const versions = await server.entityManager.find(EntityVersion, { order: { targetId: 'ASC', version: 'ASC' } });
  const findHistory = (id: string): EntityVersion[] => versions.filter(({ targetId }) => targetId === id);
  const markers = await server.entityManager.find(Marker, { relations: { artists: true } });
  for (const marker of markers) {
    expectReplay(marker, server.get(MarkersStore).toFieldValues(marker), findHistory(marker.id));
  }
  for (const artist of await server.entityManager.find(Artist)) {
    expectReplay(artist, server.get(ArtistsStore).toFieldValues(artist), findHistory(artist.id));
  }
}

function expectReplay(target: Target, current: FieldValues, versions: EntityVersion[]): void {
  if (versions.length === 0) return expect(target).toMatchObject({ version: 1, deletedAt: null });
  const state: FieldValues = {};
  let isDeleted = false;
  for (const [index, { version, action, changes, snapshot }] of versions.entries()) {
    expect({ id: target.id, version }).toEqual({ id: target.id, version: index + 1 });
    for (const { field, from, to } of changes) {
      expect(areValuesEqual(state[field], from)).toBe(true);
      state[field] = to;
    }
    expectEqualFields(state, snapshot);
    isDeleted = action === 'deleted' || (isDeleted && action !== 'restored');
  }
  expectEqualFields(state, current);
  const { id, version, deletedAt } = target;
  expect({ id, version, isDeleted: deletedAt !== null }).toEqual({ id, version: versions.length, isDeleted });
}

function expectEqualFields(one: FieldValues, other: FieldValues): void {
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  expect(fields.filter((field) => !areValuesEqual(one[field], other[field]))).toEqual([]);
}

/** Expects that each stored counter equals the number of the rows that it counts. */
export async function expectCountersToEqualCounts(server: TestServer): Promise<void> {
  const markers = await server.entityManager.find(Marker, { relations: { artists: true } });
  const open = await server.entityManager.findBy(Edit, { status: 'open' });
  const edits = countBy(open.map(({ targetId }) => targetId ?? ''));
  for (const { id, openEditCount } of markers) {
    expect({ id, openEditCount }).toEqual({ id, openEditCount: edits.get(id) ?? 0 });
  }
  const live = markers.filter(({ deletedAt }) => deletedAt === null);
  const artworks = countBy(live.flatMap(({ artists }) => artists.map(({ id }) => id)));
  for (const { id, artworkCount, deletedAt } of await server.entityManager.find(Artist)) {
    expect({ id, artworkCount }).toEqual({ id, artworkCount: artworks.get(id) ?? 0 });
    if (deletedAt) expect(artworkCount).toBe(0);
  }
  const items = countBy((await server.entityManager.find(CollectionItem)).map(({ collectionId }) => collectionId));
  for (const { id, itemCount } of await server.entityManager.find(Collection)) {
    expect({ id, itemCount }).toEqual({ id, itemCount: items.get(id) ?? 0 });
  }
}

function countBy(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
