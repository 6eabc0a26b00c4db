import { type CanActivate, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasHashingPlace, HashingQueueFullError } from '../password-hashing.js';

/** Time after which the rejection is sent. */
const REJECTION_DELAY_MS = 1000;

/**
 * Rejects a form with a password while the hashing queue has no place for the client's network,
 * before the form is read. The rejection is sent after a delay, so that a client that repeats its
 * request at once does not keep the process busy.
 */
@Injectable()
export class PasswordQueueGuard implements CanActivate {
  /** @throws HashingQueueFullError */
  async canActivate(): Promise<boolean> {
    if (hasHashingPlace()) return true;
    await sleep(REJECTION_DELAY_MS, undefined, { ref: false });
    throw new HashingQueueFullError();
  }
}
