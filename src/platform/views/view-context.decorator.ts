import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PageRequest } from './view-context.js';

/** Injects the ViewContext of the request into a handler parameter. */
export const CurrentViewContext = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PageRequest>().viewContext,
);
