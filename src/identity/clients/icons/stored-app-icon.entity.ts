import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { bytes, id, timestampMs } from '../../../platform/database/columns.js';
import { App } from '../app.entity.js';

/** The uploaded icon of an app, encoded again by this service. */
@Entity('app_icons')
export class StoredAppIcon {
  /** Random id in the public address. A new icon has a new id, so that caches never expire. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  id!: string;

  @Index('app_icons_app', { unique: true })
  @Column(id)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'app_icons_app_fk' })
  app!: Relation<App>;

  @Column({ type: 'varchar', length: 40 })
  contentType!: string;

  @Column(bytes)
  content!: Buffer;

  @Column(timestampMs)
  createdAt!: Date;
}
