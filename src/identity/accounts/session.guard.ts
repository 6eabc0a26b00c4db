import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Redirect } from '../../platform/http/redirect.js';
import { HtmlController } from '../../platform/views/html-controller.decorator.js';
import type { PageRequest } from '../../platform/views/view-context.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

interface SessionRequest extends PageRequest {
  session?: Session | null;
}

/** Notes who looks at a page, if they are signed in. */
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

/** Sends whoever is not signed in to sign in first, and back. */
@Injectable()
export class RequireSessionGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { session, method, originalUrl } = context.switchToHttp().getRequest<SessionRequest>();
    if (session) return true;
    const returnTo = new URLSearchParams(method === 'GET' ? { return_to: originalUrl } : {});
    throw new Redirect(`${this.settings.basePath}/sign-in?${returnTo}`);
  }
}

/** Pages that know who looks at them. */
export function PageController(path: string): ClassDecorator {
  return applyDecorators(HtmlController(path), UseGuards(SessionGuard));
}

/** Pages for those who are signed in. */
export function AuthenticatedPageController(path: string): ClassDecorator {
  return applyDecorators(HtmlController(path), UseGuards(SessionGuard, RequireSessionGuard));
}

/** The session of whoever looks at the page, or null. On a `SignedInPage` it is there. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SessionRequest>().session ?? null,
);
