import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { AuthenticatedRequest } from '../../platform/http/authenticated-request.js';
import type { AppRequest, OAuthRequest } from './authenticated-client.decorator.js';
import { ClientAuthenticationService } from './client-authentication.service.js';
import { restrictToClientOrigins } from './client-origins.js';
import { readOAuthParams } from './oauth-params.decorator.js';
import { TokenRequestMetricsService } from './token-request-metrics.service.js';
import type { ClientCredentialsDto } from './token-request.dto.js';

/** Declares the endpoint of a route and the DTO of its parameters. */
export const OAuthEndpointName = Reflector.createDecorator<{
  endpoint: AppRequest['endpoint'];
  params: Type<ClientCredentialsDto>;
}>();

/**
 * Admits a request to the token or revoke endpoint: reads its parameters, then authenticates the
 * client.
 */
@Injectable()
export class ClientAuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly clientAuthentication: ClientAuthenticationService,
    private readonly metrics: TokenRequestMetricsService,
  ) {}

  /** @throws OAuthError `invalid_request`, `invalid_client` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<OAuthRequest & AuthenticatedRequest>(), http.getResponse<Response>()];
    const { endpoint, params: dto } = this.reflector.get(OAuthEndpointName, context.getHandler());

    const params = await readOAuthParams(request, response, dto);
    const call: AppRequest = (request.appRequest = { endpoint, params, error: 'none' });
    this.metrics.measure(call, response);
    const identified = await this.clientAuthentication.identify(params, request.headers.authorization);
    if (identified.app) request.clientId = identified.app.id;
    restrictToClientOrigins(request, response, identified.app);
    call.client = await this.clientAuthentication.authenticate(identified);
    return true;
  }
}
