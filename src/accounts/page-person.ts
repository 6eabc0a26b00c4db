import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { SeeOther } from '../http/see-other.js';
import { PageController } from '../views/page-controller.js';
import type { PageRequest } from '../views/ui.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

interface SessionRequest extends PageRequest {
  session?: Session | null;
}

/** Notes who looks at a page, if they are signed in. */
@Injectable()
export class KnowPerson implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    request.session = await this.sessions.of(request);
    request.viewer = request.session?.account;
    return true;
  }
}

/** Sends whoever is not signed in to sign in first, and back. */
@Injectable()
export class NeedPerson implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { session, method, originalUrl } = context.switchToHttp().getRequest<SessionRequest>();
    if (session) return true;
    const returnTo = new URLSearchParams(method === 'GET' ? { return_to: originalUrl } : {});
    throw new SeeOther(`${this.settings.basePath}/sign-in?${returnTo}`);
  }
}

/** Pages that know who looks at them. */
export function PersonPage(path: string): ClassDecorator {
  return applyDecorators(PageController(path), UseGuards(KnowPerson));
}

/** Pages for those who are signed in. */
export function SignedInPage(path: string): ClassDecorator {
  return applyDecorators(PageController(path), UseGuards(KnowPerson, NeedPerson));
}

/** The session of whoever looks at the page, or null. On a `SignedInPage` it is there. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SessionRequest>().session ?? null,
);
