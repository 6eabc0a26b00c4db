import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { Settings } from '../../../platform/config/settings.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { createSignInRedirect, type SessionRequest } from './session.guard.js';
import { SessionEndedError, SessionsService } from './sessions.service.js';

/**
 * Reads the session again after the body of a form was read: a slow client could otherwise send
 * the end of a form after its session ended. Redirects to the sign-in page if the session ended
 * before the handler or in it.
 */
@Injectable()
export class RecheckSessionInterceptor implements NestInterceptor {
  constructor(
    private readonly sessions: SessionsService,
    private readonly settings: Settings,
  ) {}

  /** @throws Redirect to the sign-in page if the session ended */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const { basePath } = this.settings;
    if (request.method === 'POST' && request.session) {
      request.session = await this.sessions.findByRequest(request);
      if (!request.session) throw createSignInRedirect(basePath, request);
    }
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw error instanceof SessionEndedError ? new Redirect(`${basePath}/sign-in`) : error;
      }),
    );
  }
}
