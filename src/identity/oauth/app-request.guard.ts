import { type CanActivate, type ExecutionContext, Inject, Injectable, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import type { Request, Response } from 'express';
import type { Histogram } from 'prom-client';
import type { AuthenticatedRequest } from '../../platform/http/authenticated-request.js';
import { type BodyFields, readFields, UnreadableBodyError } from '../../platform/http/body-reader.js';
import { createClientOriginHeaders } from '../../platform/http/cors-options.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { App } from '../apps/app.entity.js';
import { ClientAuthenticationService } from './client-authentication.service.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { OAuthError, type OAuthErrorCode, OAuthHttpError } from './oauth-error.js';
import { isClientOrigin } from './public-client-origins.service.js';
import type { ClientCredentialsDto, TokenRequestDto } from './token.dto.js';

/** The request of an app to the token or revoke endpoint, with a readable body. */
export interface AppRequest {
  endpoint: 'token' | 'revoke';
  params: ClientCredentialsDto;
  /** The app, once it is authenticated. */
  client?: App;
  /** The code of the error in the response, for the metrics. `OAuthErrorFilter` sets it. */
  error: OAuthErrorCode | 'none';
}

/**
 * An HTTP request to the token or revoke endpoint. `AppRequestGuard` attaches the app's request.
 */
export type OAuthRequest = Request & { appRequest?: AppRequest };

/** Declares the endpoint of a route and the DTO of its parameters. */
export const OAuthEndpointName = Reflector.createDecorator<{
  endpoint: AppRequest['endpoint'];
  params: Type<ClientCredentialsDto>;
}>();

/**
 * Admits a request to the token or revoke endpoint: reads its parameters, then authenticates the
 * client. It measures the request by endpoint, grant type and error.
 */
@Injectable()
export class AppRequestGuard implements CanActivate {
  private readonly grantTypes: ReadonlySet<string | undefined>;
  private readonly requestDuration: Histogram<'endpoint' | 'grant' | 'error'>;

  constructor(
    private readonly reflector: Reflector,
    private readonly clientAuthentication: ClientAuthenticationService,
    metrics: MetricsService,
    @Inject(GRANTS) grants: Grant[],
  ) {
    this.grantTypes = new Set(grants.map(({ grantType }) => grantType));
    this.requestDuration = metrics.registerDurationHistogram({
      name: 'street_art_token_request_duration_seconds',
      help: 'Seconds that requests to the token and revoke endpoints took, by endpoint, grant type and OAuth error.',
      labelNames: ['endpoint', 'grant', 'error'],
    });
  }

  /** @throws OAuthError `invalid_request`, `invalid_client` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<OAuthRequest & AuthenticatedRequest>(), http.getResponse<Response>()];
    const { endpoint, params: dto } = this.reflector.get(OAuthEndpointName, context.getHandler());

    const params = await readOAuthParams(request, response, dto);
    const appRequest: AppRequest = (request.appRequest = { endpoint, params, error: 'none' });
    this.measure(appRequest, response);
    const identified = await this.clientAuthentication.identify(params, request.headers.authorization);
    if (identified.app) request.clientId = identified.app.id;
    restrictToClientOrigins(request, response, identified.app);
    appRequest.client = await this.clientAuthentication.authenticate(identified);
    return true;
  }

  /** Measures a request from now until its response is sent or its client disconnects. */
  private measure(appRequest: AppRequest, response: Response): void {
    const startedAt = performance.now();
    const { endpoint, params } = appRequest;
    const { grant_type } = params as TokenRequestDto;
    const grant = this.grantTypes.has(grant_type) ? grant_type! : 'none';
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const error = response.writableFinished ? appRequest.error : 'disconnected';
      this.requestDuration.observe({ endpoint, grant, error }, seconds);
    });
  }
}

/**
 * Lets a script read the response only if a public client has registered the script's origin. The
 * response to an unknown client keeps its headers.
 */
function restrictToClientOrigins({ headers: { origin } }: Request, response: Response, app: App | null): void {
  response.vary('Origin');
  if (origin === undefined || !app) return;
  const headers = createClientOriginHeaders(origin);
  if (app.clientType === 'public' && isClientOrigin(app, origin)) response.set(headers);
  else Object.keys(headers).forEach((name) => response.removeHeader(name));
}

/**
 * Reads the parameters of an OAuth request from a JSON or form body. Each parameter is one string,
 * sent once. An empty value and `null` count as missing. Unknown parameters are ignored (RFC 6749
 * §3.2).
 * @throws OAuthError invalid_request
 */
async function readOAuthParams<Dto extends object>(request: Request, response: Response, dto: Type<Dto>): Promise<Dto> {
  const fields = await readFields(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBodyError ? createUnreadableBodyError(error.status) : error;
  });
  const names = getParamNames(dto);
  const repeated = Object.keys(fields.values).find((name) => fields.duplicates.has(name) && names.has(name));
  if (repeated !== undefined) throw createRepeatedParamError(repeated);
  return pickParams(fields, names, dto);
}

const namesByDto = new Map<Type, Set<string>>();

/** Returns the names of all validated properties of a DTO, collected once. */
function getParamNames(dto: Type): Set<string> {
  let names = namesByDto.get(dto);
  if (!names) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
    namesByDto.set(dto, (names = new Set(rules.map(({ propertyName }) => propertyName))));
  }
  return names;
}

/**
 * Creates the DTO from the known parameters that have a value. All of them are strings, so it does
 * not need `validate`, which takes 5 % of the time of a refresh.
 * @throws OAuthError invalid_request
 */
function pickParams<Dto extends object>({ values }: BodyFields, names: Set<string>, dto: Type<Dto>): Dto {
  const params = new dto();
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') throw new OAuthError('invalid_request', `${name} must be a string.`);
    params[name as keyof Dto] = value as Dto[keyof Dto];
  }
  return params;
}

function createRepeatedParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name} was sent more than once. Send it once.`);
}

/** Creates the error for a body that is not JSON or a form, or that is too large. */
export function createUnreadableBodyError(status: number): OAuthError {
  if (status === 413) return new OAuthHttpError(413, 'invalid_request', 'The body must be at most 64 KiB.');
  return new OAuthError(
    'invalid_request',
    'The body must be a JSON object or a form in UTF-8. Send the matching Content-Type.',
  );
}
