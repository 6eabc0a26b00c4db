import { Injectable } from '@nestjs/common';
import type { Account } from '../../identity/accounts/account.entity.js';
import { hasRoleInRegion } from '../../identity/accounts/account-permissions.js';
import { EditTargetsService, type Target } from '../../map/edits/edit-targets.service.js';
import type { TargetType } from '../../map/edits/edit.entity.js';
import { TargetLocksService } from '../../map/edits/target-locks.service.js';
import { isId } from '../../platform/database/ids.js';

/** Locks and unlocks artworks and artists for moderators, in their regions. */
@Injectable()
export class LocksService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly locks: TargetLocksService,
  ) {}

  /** Returns the artwork or artist with this id; null if none of the person's regions has it. */
  async find(moderator: Account, id: string): Promise<Target | null> {
    const targetType = toTargetType(id);
    if (!targetType) return null;
    const [target] = await this.targets.getStore(targetType).findMany([id]);
    if (!target || target.deletedAt) return null;
    const isArtist = targetType === 'artist';
    return isArtist || hasRoleInRegion(moderator, target.regionId ?? null) ? target : null;
  }

  /** Does nothing for an id that `find` does not find, or that is in this state already. */
  async setLocked(moderator: Account, id: string, isLocked: boolean): Promise<void> {
    if (await this.find(moderator, id)) await this.locks.setLocked(toTargetType(id)!, id, isLocked, moderator.id);
  }
}

function toTargetType(id: string): TargetType | null {
  if (isId('mrk', id)) return 'artwork';
  return isId('art', id) ? 'artist' : null;
}
