import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { HtmlController } from '../../../platform/views/html-controller.decorator.js';
import { BlockedAccountInterceptor } from './blocked-account.interceptor.js';
import { RecheckSessionInterceptor } from './recheck-session.interceptor.js';
import { RequireSessionGuard, SessionGuard, type SessionRequest } from './session.guard.js';

/**
 * Declares a controller of HTML pages with access to the session, if there is one.
 * @param bodyInterceptor reads the form of a POST request, if it is not a plain form
 */
export function PageController(path: string, bodyInterceptor?: Type<NestInterceptor>): ClassDecorator {
  return applyDecorators(
    HtmlController(path, bodyInterceptor),
    UseGuards(SessionGuard),
    UseInterceptors(RecheckSessionInterceptor),
  );
}

/**
 * Declares a controller as `PageController` does. Its pages require a session, and are not
 * available to a blocked account without `@AvailableWhenBlocked()`.
 */
export function AuthenticatedPageController(path: string, bodyInterceptor?: Type<NestInterceptor>): ClassDecorator {
  return applyDecorators(
    PageController(path, bodyInterceptor),
    UseGuards(RequireSessionGuard),
    UseInterceptors(BlockedAccountInterceptor),
  );
}

/**
 * Injects the session of the request, or null. In an AuthenticatedPageController it is never null.
 */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SessionRequest>().session ?? null,
);
