import { type CallHandler, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FormBodyInterceptor } from '../../../platform/views/html-controller.decorator.js';
import { hasHashingPlace, HashingQueueFullError } from '../password-hashing.js';

/** Time after which the rejection is sent. */
const REJECTION_DELAY_MS = 1000;

/**
 * Reads a form with a password. While the hashing queue has no place for the client's network, the
 * form is rejected unread. The rejection is sent after a delay, so that a client that repeats its
 * request at once does not keep the process busy.
 */
@Injectable()
export class PasswordFormInterceptor extends FormBodyInterceptor {
  /** @throws HashingQueueFullError, UnreadableBodyError */
  override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { method } = context.switchToHttp().getRequest<{ method: string }>();
    if (method === 'POST' && !hasHashingPlace()) {
      await sleep(REJECTION_DELAY_MS, undefined, { ref: false });
      throw new HashingQueueFullError();
    }
    return super.intercept(context, next);
  }
}
