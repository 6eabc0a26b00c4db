import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { App } from '../clients/app.entity.js';
import type { ClientCredentialsDto } from './token-request.dto.js';

/** A call of the token or revoke endpoint with a readable body. */
export interface ClientCall {
  endpoint: 'token' | 'revoke';
  params: ClientCredentialsDto;
  /** When the body was read, by `performance.now()`. */
  startedAt: number;
  /** The app, once it is authenticated. */
  client?: App;
}

/** A request to the token or revoke endpoint. `ClientAuthGuard` attaches the call. */
export type ClientRequest = Request & { clientCall?: ClientCall };

/** Injects the app that `ClientAuthGuard` authenticated. */
export const AuthenticatedClient = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ClientRequest>().clientCall!.client!,
);
