import { Injectable } from '@nestjs/common';
import type { Account } from '../../identity/accounts/account.entity.js';
import { hasRoleInRegion } from '../../identity/accounts/account-permissions.js';
import { EditTargetsService, type Target } from '../../map/edits/edit-targets.service.js';
import type { TargetType } from '../../map/edits/edit.entity.js';
import { TargetLocksService } from '../../map/edits/target-locks.service.js';
import { isId } from '../../platform/database/ids.js';
import { createNotFoundError } from '../../platform/errors/request-errors.js';

/** An artwork or artist that a moderator can lock. */
export interface LockableTarget {
  targetType: TargetType;
  target: Target;
}

/** Locks and unlocks artworks and artists for moderators, in their regions. */
@Injectable()
export class LocksService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly locks: TargetLocksService,
  ) {}

  /** Returns the artwork or artist with this id; null if none of the person's regions has it. */
  async find(moderator: Account, id: string): Promise<LockableTarget | null> {
    if (!isId('mrk', id) && !isId('art', id)) return null;
    const targetType = isId('mrk', id) ? 'artwork' : 'artist';
    const [target] = await this.targets.getStore(targetType).findMany([id]);
    if (!target || target.deletedAt || target.kind === 'place') return null;
    const isInRegions = targetType === 'artist' || hasRoleInRegion(moderator, target.regionId ?? null);
    return isInRegions ? { targetType, target } : null;
  }

  /** @throws DomainError `not_found` if `find` does not find it */
  async setLocked(moderator: Account, id: string, isLocked: boolean): Promise<void> {
    const found = await this.find(moderator, id);
    if (!found) throw createNotFoundError('artwork or artist');
    await this.locks.setLocked(found.targetType, id, isLocked, moderator.id);
  }
}
