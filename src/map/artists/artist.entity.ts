import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';

/** A person or a crew that makes street art. */
@Entity('artists')
@Index('artists_name', ['nameSortKey', 'id'])
export class Artist {
  @PrimaryColumn(idColumn)
  id!: string;

  @Column({ type: 'varchar', length: 120 })
  name!: string;

  /**
   * The folded name, for sorting. Both databases compare it by bytes: collation `C` on PostgreSQL.
   */
  @Column({ type: 'varchar', length: 240, collation: 'C' })
  nameSortKey!: string;

  /** Name and aliases, from `toSearchText`. */
  @Column({ type: 'text' })
  searchText!: string;

  @Column(json)
  aliases!: string[];

  /** ISO 3166-1 alpha-2. */
  @Column({ type: 'varchar', length: 2, nullable: true })
  country!: string | null;

  @Column({ type: 'text', nullable: true })
  bio!: string | null;

  @Column(json)
  links!: string[];

  /** First and last year of activity. */
  @Column({ type: 'integer', nullable: true })
  activeFrom!: number | null;

  @Column({ type: 'integer', nullable: true })
  activeTo!: number | null;

  @Column({ type: 'integer' })
  version!: number;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;

  @Column(nullableColumn(timestampMs))
  deletedAt!: Date | null;

  /** Since this time only moderators can accept edits of the artist. */
  @Column(nullableColumn(timestampMs))
  lockedAt!: Date | null;

  /** Number of live artworks by this artist. */
  @Column({ type: 'integer', default: 0 })
  artworkCount!: number;
}
