import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The query of a request, each name as often as it was sent. */
export const SearchParams = createParamDecorator((_: unknown, context: ExecutionContext) =>
  searchParamsOf(context.switchToHttp().getRequest<Request>()),
);

export function searchParamsOf({ originalUrl }: Request): URLSearchParams {
  return new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
}
