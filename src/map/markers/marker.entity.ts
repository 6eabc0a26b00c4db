import { Column, Entity, JoinColumn, JoinTable, ManyToMany, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Artist } from '../artists/artist.entity.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import type { Photo } from './photo.dto.js';
import { Region } from '../regions/region.entity.js';

/** Kinds of markers. */
export const MARKER_KINDS = ['artwork', 'place'] as const;
export type MarkerKind = (typeof MARKER_KINDS)[number];

/** Condition of an artwork. */
export const ARTWORK_STATUSES = ['present', 'damaged', 'gone', 'unknown'] as const;
export type ArtworkStatus = (typeof ARTWORK_STATUSES)[number];

/** The meaning of each condition, for the documentation of the API. */
export const STATUS_DESCRIPTION =
  'Condition. `present` is there to see, `damaged` is there but partly destroyed or covered, `gone` was removed or painted over, `unknown` was not checked.';

/** Techniques of artworks. */
export const MEDIUMS = [
  'mural',
  'stencil',
  'paste_up',
  'mosaic',
  'lettering',
  'installation',
  'sculpture',
  'other',
] as const;
export type Medium = (typeof MEDIUMS)[number];

/** The meaning of each technique, for the documentation of the API. */
export const MEDIUM_DESCRIPTION =
  'Techniques: `mural` is painted on a wall, `stencil` is sprayed through a template, `paste_up` is glued paper, `mosaic` is made of tiles, `lettering` is writing, `installation` is built of objects, `sculpture` is a figure in space, `other` is none of them.';

/** The usual types of places. An operator can import places of other types. */
export const PLACE_TYPES = ['gallery', 'legal_wall', 'museum', 'shop'] as const;

/** The meaning of each type of a place, for the documentation of the API. */
export const PLACE_TYPE_DESCRIPTION =
  'Type of a place: `gallery`, `legal_wall` (a wall that everyone may paint), `museum`, `shop`, or another word of the operator. `null` for an artwork.';

/** A point on the map: an artwork, or a place such as a legal wall or a gallery. */
@Entity('markers')
export class Marker {
  @PrimaryColumn(idColumn)
  id!: string;

  @Column({ type: 'varchar', length: 20 })
  kind!: MarkerKind;

  @Column({ type: 'varchar', length: 200 })
  title!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'varchar', length: 20 })
  status!: ArtworkStatus;

  @Column(json)
  medium!: Medium[];

  /** Type of a place; null for an artwork. */
  @Column({ type: 'varchar', length: 40, nullable: true })
  placeType!: string | null;

  /** Location in degrees × 10⁷: integers make the comparison with a bounding box exact. */
  @Column({ type: 'integer' })
  latE7!: number;

  @Column({ type: 'integer' })
  lonE7!: number;

  @Column({ type: 'varchar', length: 300, nullable: true })
  address!: string | null;

  @Column(nullableColumn(idColumn))
  regionId!: string | null;

  @ManyToOne(() => Region, { nullable: true })
  @JoinColumn({ name: 'region_id', foreignKeyConstraintName: 'markers_region_fk' })
  region!: Relation<Region> | null;

  @ManyToMany(() => Artist)
  @JoinTable({
    name: 'marker_artists',
    joinColumn: { name: 'marker_id', foreignKeyConstraintName: 'marker_artists_marker_fk' },
    inverseJoinColumn: { name: 'artist_id', foreignKeyConstraintName: 'marker_artists_artist_fk' },
  })
  artists!: Relation<Artist>[];

  @Column({ type: 'integer', nullable: true })
  year!: number | null;

  @Column(json)
  tags!: string[];

  @Column({ ...json, default: '[]' })
  photos!: Photo[];

  @Column({ type: 'integer' })
  version!: number;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;

  @Column(nullableColumn(timestampMs))
  deletedAt!: Date | null;

  /** Since this time only moderators can accept edits of the marker. */
  @Column(nullableColumn(timestampMs))
  lockedAt!: Date | null;

  @Column({ type: 'integer', default: 0 })
  openEditCount!: number;
}
