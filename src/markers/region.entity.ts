import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, moment } from '../database/columns.js';
import type { Box } from './search/places.js';

/** A part of the map in which roles are given: a box of west, south, east and north, in degrees. */
@Entity('regions')
export class Region {
  @PrimaryColumn(id)
  id!: string;

  @Index('regions_name', { unique: true })
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** Where west is greater than east, the box crosses the 180th meridian. */
  @Column({ type: 'double precision' })
  west!: number;

  @Column({ type: 'double precision' })
  south!: number;

  @Column({ type: 'double precision' })
  east!: number;

  @Column({ type: 'double precision' })
  north!: number;

  @Column(moment)
  createdAt!: Date;
}

export function boxOf({ west, south, east, north }: Region): Box {
  return [west, south, east, north];
}
