import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Redirect } from '../../platform/http/redirect.js';
import { findAccountPage } from './return-target.js';
import type { SessionRequest } from './session.guard.js';

/**
 * Redirects a request without a session to the sign-in page, which returns to the requested page.
 * After a form of the account, it returns to the page of the form.
 */
@Injectable()
export class RequireSessionGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { session, method, originalUrl } = context.switchToHttp().getRequest<SessionRequest>();
    if (session) return true;
    const { basePath } = this.settings;
    const returnTo = method === 'GET' ? originalUrl : findAccountPage(basePath, originalUrl);
    throw new Redirect(`${basePath}/sign-in?${new URLSearchParams(returnTo ? { return_to: returnTo } : {})}`);
  }
}
