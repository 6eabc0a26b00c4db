import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { idColumn } from '../../platform/database/columns.js';
import { StoredPicture } from '../../platform/pictures/stored-picture.js';
import { App } from './app.entity.js';

/** The uploaded icon of an app, encoded again by this service. */
@Entity('app_icons')
export class StoredAppIcon extends StoredPicture {
  @Index('app_icons_app', { unique: true })
  @Column(idColumn)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'app_icons_app_fk' })
  app!: Relation<App>;
}
