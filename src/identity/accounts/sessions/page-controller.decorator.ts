import { applyDecorators, type NestInterceptor, type Type, UseGuards, UseInterceptors } from '@nestjs/common';
import { HtmlController } from '../../../platform/views/html-controller.decorator.js';
import { RequireSessionGuard } from './require-session.guard.js';
import { SessionAfterBodyInterceptor } from './recheck-session.interceptor.js';
import { SessionGuard } from './session.guard.js';

/** Declares a controller of HTML pages with access to the session, if there is one. */
export function PageController(path: string): ClassDecorator {
  return applyDecorators(HtmlController(path), UseGuards(SessionGuard), UseInterceptors(SessionAfterBodyInterceptor));
}

/**
 * Declares a controller of HTML pages that require a session.
 * @param bodyInterceptor reads the form of a POST request, if it is not a plain form
 */
export function AuthenticatedPageController(path: string, bodyInterceptor?: Type<NestInterceptor>): ClassDecorator {
  return applyDecorators(
    HtmlController(path, bodyInterceptor),
    UseGuards(SessionGuard, RequireSessionGuard),
    UseInterceptors(SessionAfterBodyInterceptor),
  );
}
