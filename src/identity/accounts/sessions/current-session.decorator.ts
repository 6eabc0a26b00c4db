import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SessionRequest } from './session.guard.js';

/**
 * Injects the session of the request, or null. In an AuthenticatedPageController it is never null.
 */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<SessionRequest>().session ?? null,
);
