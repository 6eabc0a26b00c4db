import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { App } from '../apps/app.entity.js';
import type { OAuthErrorCode } from './oauth-error.js';
import type { ClientCredentialsDto } from './token-request.dto.js';

/** A call of the token or revoke endpoint with a readable body. */
export interface AppRequest {
  endpoint: 'token' | 'revoke';
  params: ClientCredentialsDto;
  /** The app, once it is authenticated. */
  client?: App;
  /** The code of the error in the response, for the metrics. `OAuthErrorFilter` sets it. */
  error: OAuthErrorCode | 'none';
}

/** A request to the token or revoke endpoint. `ClientAuthGuard` attaches the call. */
export type OAuthRequest = Request & { appRequest?: AppRequest };

/** Injects the app that `ClientAuthGuard` authenticated. */
export const AuthenticatedClient = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<OAuthRequest>().appRequest!.client!,
);
