import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, json, nullable, timestampMs } from '../../platform/database/columns.js';

/** Someone who makes street art, or a crew. */
@Entity('artists')
@Index('artists_name', ['nameSortKey', 'id'])
export class Artist {
  @PrimaryColumn(id)
  id!: string;

  @Column({ type: 'varchar', length: 120 })
  name!: string;

  /** The name as lists are sorted by it: folded, by bytes; PostgreSQL needs to be told so, SQLite does it unasked. */
  @Column({ type: 'varchar', length: 240, collation: 'C' })
  nameSortKey!: string;

  /** What searches look at: name and aliases as `wordsOf` puts them; none where an older version wrote the row. */
  @Column({ type: 'text', nullable: true })
  searchText!: string | null;

  @Column(json)
  aliases!: string[];

  /** ISO 3166-1 alpha-2. */
  @Column({ type: 'varchar', length: 2, nullable: true })
  country!: string | null;

  @Column({ type: 'text', nullable: true })
  bio!: string | null;

  @Column(json)
  links!: string[];

  /** Years. */
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

  @Column(nullable(timestampMs))
  deletedAt!: Date | null;

  /** Since when only moderators accept changes to it. */
  @Column(nullable(timestampMs))
  lockedAt!: Date | null;

  /** How many live artworks are by this artist. */
  @Column({ type: 'integer', default: 0 })
  artworkCount!: number;
}
