import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { Settings } from '../../../platform/config/settings.js';
import { createSignInRedirect } from './require-session.guard.js';
import type { SessionRequest } from './session.guard.js';
import { SessionsService } from './sessions.service.js';

/**
 * Reads the session again after the body of a form was read: a slow client could otherwise send
 * the end of a form after its session ended.
 */
@Injectable()
export class SessionAfterBodyInterceptor implements NestInterceptor {
  constructor(
    private readonly sessions: SessionsService,
    private readonly settings: Settings,
  ) {}

  /** @throws Redirect to the sign-in page if the session ended */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    if (request.method === 'POST' && request.session) {
      request.session = await this.sessions.findByRequest(request);
      if (!request.session) throw createSignInRedirect(this.settings.basePath, request);
    }
    return next.handle();
  }
}
