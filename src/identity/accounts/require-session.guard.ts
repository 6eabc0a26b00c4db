import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Redirect } from '../../platform/http/redirect.js';
import type { SessionRequest } from './session.guard.js';

/**
 * Redirects a request without a session to the sign-in page, which returns to the requested page.
 */
@Injectable()
export class RequireSessionGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { session, method, originalUrl } = context.switchToHttp().getRequest<SessionRequest>();
    if (session) return true;
    const query = new URLSearchParams(method === 'GET' ? { return_to: originalUrl } : {});
    throw new Redirect(`${this.settings.basePath}/sign-in?${query}`);
  }
}
