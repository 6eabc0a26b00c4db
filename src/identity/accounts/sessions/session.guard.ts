import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { PageRequest } from '../../../platform/views/view-context.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { Settings } from '../../../platform/config/settings.js';
import { Redirect } from '../../../platform/http/redirect.js';
import { findAccountPage } from '../return-target.pipe.js';

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

/**
 * Redirects a request without a session to the sign-in page, which returns to the requested page.
 * After a form of the account, it returns to the page of the form.
 */
@Injectable()
export class RequireSessionGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    if (request.session) return true;
    throw createSignInRedirect(this.settings.basePath, request);
  }
}

/** Returns the redirect of a request without a session to the sign-in page. */
export function createSignInRedirect(basePath: string, { method, originalUrl }: SessionRequest): Redirect {
  const returnTo = method === 'GET' ? originalUrl : findAccountPage(basePath, originalUrl);
  return new Redirect(`${basePath}/sign-in?${new URLSearchParams(returnTo ? { return_to: returnTo } : {})}`);
}
