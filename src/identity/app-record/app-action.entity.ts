import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { App } from '../apps/app.entity.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';

/** What an app can do for a person. The part before the dot is the type of the target. */
export const ACTIONS = [
  'edit.suggested',
  'edit.withdrawn',
  'edit.accepted',
  'edit.rejected',
  'edit.reverted',
  'collection.created',
  'collection.changed',
  'collection.deleted',
  'collection.items_added',
  'collection.item_removed',
  'collection.ordered',
] as const;
export type Action = (typeof ACTIONS)[number];

/** The types of targets. */
export type ActionTarget = 'edit' | 'collection';

/** A write that an app made for a person through the API: a line of the record. */
@Entity('app_actions')
@Index('app_actions_app', ['accountId', 'appId', 'id'])
export class AppAction {
  /** Sorts by time. */
  @PrimaryColumn(idColumn)
  id!: string;

  @Column(idColumn)
  accountId!: string;

  @Column(idColumn)
  appId!: string;

  @ManyToOne(() => App, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'app_id' })
  app!: Relation<App>;

  @Column({ type: 'varchar', length: 30 })
  action!: Action;

  /** Id of the edit or collection. */
  @Column(idColumn)
  targetId!: string;

  /** Version of a collection after the write, which orders its lines; null for an edit. */
  @Column({ type: 'integer', nullable: true })
  targetVersion!: number | null;

  /** What is needed to undo the write; its form depends on the action. */
  @Column(nullableColumn(json))
  undo!: object | null;

  @Column(timestampMs)
  at!: Date;

  /** When the person undid the write; null if they did not. */
  @Column(nullableColumn(timestampMs))
  undoneAt!: Date | null;
}

/** Returns the type of the target of an action. */
export function getTargetType(action: Action): ActionTarget {
  return action.slice(0, action.indexOf('.')) as ActionTarget;
}
