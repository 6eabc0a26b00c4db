import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MarkersStore } from '../../markers/markers.store.js';
import { computeDistanceMeters, toAreasAround } from '../../regions/geo.js';
import type { SimilarArtwork } from '../edit.dto.js';
import { getTargetTitle } from '../edit-targets.service.js';
import type { EditRow } from '../edit.entity.js';
import { EditsStore } from '../edits.store.js';
import { areTitlesSimilar } from '../rules/similar-titles.js';

/** Meters within which two artworks with nearly the same title are probably one. */
const RADIUS_METERS = 30;

/** Artworks, and suggestions, with which a title is compared. */
const MAX_COMPARED = 200;

/** Artworks and suggestions that are returned. */
const MAX_SIMILAR = 20;

/** Finds artworks that a suggested new artwork probably repeats. */
@Injectable()
export class SimilarArtworksService {
  constructor(
    private readonly markers: MarkersStore,
    private readonly edits: EditsStore,
  ) {}

  /**
   * Returns artworks on the map and other open suggestions of new artworks with nearly the same
   * title within 30 m, nearest first. Returns none for an edit of another kind or status.
   */
  async find(edit: EditRow, tx?: EntityManager): Promise<SimilarArtwork[]> {
    const { type, targetType, status, latE7, lonE7 } = edit;
    if (type !== 'create' || targetType !== 'artwork' || status !== 'open' || latE7 === null || lonE7 === null) {
      return [];
    }
    const areas = toAreasAround({ latE7, lonE7 }, RADIUS_METERS);
    const artworks = await this.markers.listArtworksInAreas(areas, MAX_COMPARED, tx);
    const suggestions = await this.edits.listCreationsInAreas(areas, MAX_COMPARED, tx);
    const candidates = [
      ...artworks.map(({ id, ...rest }) => ({ reference: { targetId: id }, ...rest })),
      ...suggestions
        .filter(({ id }) => id !== edit.id)
        .map((other) => ({
          reference: { editId: other.id },
          title: getTargetTitle(other, null),
          latE7: other.latE7!,
          lonE7: other.lonE7!,
        })),
    ];
    const title = getTargetTitle(edit, null);
    return candidates
      .filter((candidate) => areTitlesSimilar(title, candidate.title))
      .map(({ reference, ...point }) => ({
        ...reference,
        distance: computeDistanceMeters({ latE7, lonE7 }, point),
      }))
      .filter(({ distance }) => distance <= RADIUS_METERS)
      .toSorted((one, other) => one.distance - other.distance)
      .slice(0, MAX_SIMILAR);
  }
}
