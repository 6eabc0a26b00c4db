import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Observable, of } from 'rxjs';
import { isBlocked } from '../account.entity.js';
import { renderBlockedAccountPage } from '../blocked.page.js';
import type { SessionRequest } from './session.guard.js';

const IsAvailableWhenBlocked = Reflector.createDecorator<boolean>();

/** Declares pages of a session that also work while the account is blocked. */
export function AvailableWhenBlocked(): ClassDecorator {
  return IsAvailableWhenBlocked(true);
}

/**
 * Responds with the page of a blocked account, instead of a page that is not available then. It
 * runs after the body was read, so that it sees a block that began meanwhile.
 */
@Injectable()
export class BlockedAccountInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { session, viewContext } = context.switchToHttp().getRequest<SessionRequest>();
    const isAvailable = this.reflector.get(IsAvailableWhenBlocked, context.getClass());
    if (isAvailable || !session || !viewContext || !isBlocked(session.account)) return next.handle();
    return of(renderBlockedAccountPage(viewContext, session.account));
  }
}
