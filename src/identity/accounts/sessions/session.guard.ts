import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { PageRequest } from '../../../platform/views/view-context.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

/** Request to which the SessionGuard attaches the session, or null if there is none. */
export interface SessionRequest extends PageRequest {
  session?: Session | null;
}

/** Attaches the session and its account to the request. It never rejects a request. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    request.session = await this.sessions.findByRequest(request);
    request.viewer = request.session?.account;
    return true;
  }
}
