import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { EditTargetsService } from './edit-targets.service.js';
import type { TargetType } from './edit.entity.js';

/** A target that cannot be locked or unlocked. The message is for the operator. */
export class TargetLockError extends DomainError {
  constructor(message: string) {
    super('not_found', 'not_found', message);
  }
}

/** Locks artworks and artists: then only moderators can accept their edits. */
@Injectable()
export class TargetLocksService {
  constructor(
    private readonly targets: EditTargetsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Locks or unlocks a target. Does nothing if it is in this state already.
   * @param accountId the moderator; null for the operator
   * @throws TargetLockError if the target does not exist or was deleted
   */
  async setLocked(
    targetType: TargetType,
    id: string,
    isLocked: boolean,
    accountId: string | null = null,
  ): Promise<void> {
    const kind = targetType === 'artwork' ? 'marker' : 'artist';
    await this.transactions.run(async (tx) => {
      const target = await this.targets.findForUpdate(tx, { targetType, targetId: id });
      if (!target) throw new TargetLockError(`The ${kind} ${id} does not exist. Check the id.`);
      if (target.deletedAt) throw new TargetLockError(`The ${kind} ${id} was deleted.`);
      if ((target.lockedAt !== null) === isLocked) return;
      await this.targets.getStore(targetType).lock(tx, [id], isLocked ? new Date() : null);
      await this.audit.record(tx, { type: `${kind}.${isLocked ? 'locked' : 'unlocked'}`, accountId, detail: id });
    });
  }
}
