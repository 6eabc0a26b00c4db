import {
  applyDecorators,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Header,
  HttpCode,
  Post,
  type Type,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import { type AppRequest, AppRequestGuard, OAuthEndpointName, type OAuthRequest } from './app-request.guard.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { NO_STORE_HEADERS, OAuthHttpError } from './oauth-error.js';
import type { ClientCredentialsDto } from './token.dto.js';

/**
 * Declares the controller of an endpoint that clients call directly: the token or the revocation
 * endpoint.
 */
export function OAuthEndpoint(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseFilters(OAuthErrorFilter));
}

/** Declares the POST handler of such an endpoint. Its guard authenticates the client. */
export function OAuthPost(endpoint: AppRequest['endpoint'], params: Type<ClientCredentialsDto>): MethodDecorator {
  return applyDecorators(
    Post(),
    HttpCode(200),
    Public('no-token'),
    OAuthEndpointName({ endpoint, params }),
    UseGuards(AppRequestGuard),
    ...Object.entries(NO_STORE_HEADERS).map(([name, value]) => Header(name, value)),
  );
}

/** Injects the app that `AppRequestGuard` authenticated. */
export const AuthenticatedClient = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<OAuthRequest>().appRequest!.client!,
);

/** Injects the DTO of the parameters that `AppRequestGuard` read. */
export const OAuthParams = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<OAuthRequest>().appRequest!.params,
);

/** @throws OAuthError 405, for every method but POST (RFC 9110 §15.5.6) */
export function throwMethodNotAllowed(): never {
  throw new OAuthHttpError(405, 'invalid_request', 'The method must be POST.', { Allow: 'POST' });
}
