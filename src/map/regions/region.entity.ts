import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, timestampMs } from '../../platform/database/columns.js';
import type { BoundingBox } from './geo.js';

/** An area of the map in which roles are assigned: a bounding box in degrees. */
@Entity('regions')
export class Region {
  @PrimaryColumn(idColumn)
  id!: string;

  @Index('regions_name', { unique: true })
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** If west is greater than east, the box crosses the 180th meridian. */
  @Column({ type: 'double precision' })
  west!: number;

  @Column({ type: 'double precision' })
  south!: number;

  @Column({ type: 'double precision' })
  east!: number;

  @Column({ type: 'double precision' })
  north!: number;

  /** Number of live markers in the region. Triggers of the database maintain it. */
  @Column({ type: 'integer', default: 0 })
  markerCount!: number;

  @Column(timestampMs)
  createdAt!: Date;
}

/** Returns the bounding box of a region, in degrees. */
export function toBoundingBox({ west, south, east, north }: Region): BoundingBox {
  return [west, south, east, north];
}
