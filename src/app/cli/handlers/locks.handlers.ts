import { AppsModule } from '../../../identity/apps/apps.module.js';
import type { TargetType } from '../../../map/edits/edit.entity.js';
import { EditsModule } from '../../../map/edits/edits.module.js';
import { TargetLocksService } from '../../../map/edits/target-locks.service.js';
import { MetricsModule } from '../../../platform/metrics/metrics.module.js';
import { withApplication } from '../application-context.js';

/** Returns the handler that locks or unlocks an artwork or artist. */
export function createLockHandler(type: TargetType, locked: boolean): (_: object, id?: string) => Promise<object> {
  return (_, id = '') =>
    withApplication([MetricsModule, AppsModule, EditsModule], async (app) => {
      await app.get(TargetLocksService).setLocked(type, id, locked);
      return { id, locked };
    });
}
