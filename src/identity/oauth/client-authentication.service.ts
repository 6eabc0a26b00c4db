import { Injectable } from '@nestjs/common';
import type { App } from '../clients/app.entity.js';
import { AppsService } from '../clients/apps.service.js';
import { AppsStore } from '../clients/apps.store.js';
import { computeDigest, isEqualDigest } from '../../platform/crypto/opaque-secret.js';
import { OAuthError } from './oauth-error.js';
import type { ClientCredentialsRequest } from './token-request.dto.js';

interface ClientCredentials {
  id: string | undefined;
  secret: string | undefined;
}

/** What is compared where there is no app, or no old secret of it. */
const DUMMY_SECRET_DIGEST = computeDigest('no secret');

/** Answers which app calls the token and revoke endpoints (RFC 6749 §2.3.1): by fields of the body, or by HTTP Basic. */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly apps: AppsStore,
    private readonly appsService: AppsService,
  ) {}

  /**
   * An unknown app, a wrong secret and a disabled app get the same answer. A secret that was replaced is good while it is kept.
   * @throws OAuthError invalid_client, or invalid_request where credentials are given in two ways
   */
  async authenticate(body: ClientCredentialsRequest, authorization: string | undefined): Promise<App> {
    const { id, secret } = parseCredentials(body, authorization);
    const presented = computeDigest(secret ?? '');
    const app = await this.apps.find(id ?? '');
    const isSecret = isEqualDigest(presented, app?.secretDigest ?? DUMMY_SECRET_DIGEST);
    const isOld =
      isEqualDigest(presented, app?.previousSecretDigest ?? DUMMY_SECRET_DIGEST) &&
      isInFuture(app?.previousSecretExpiresAt);
    if (!app || !(isSecret || isOld)) throw createInvalidClientError(app?.id, 'The client_secret is missing or wrong.');
    if (app.disabledAt) throw createInvalidClientError(app.id, 'The app is disabled.');
    if (isOld) await this.appsService.recordPreviousSecretUse(app);
    return app;
  }
}

function isInFuture(moment: Date | null | undefined): boolean {
  return moment != null && moment > new Date();
}

function parseCredentials(body: ClientCredentialsRequest, authorization: string | undefined): ClientCredentials {
  const basic = /^Basic +(.*)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return { id: body.client_id, secret: body.client_secret };

  const credentials = parseBasicCredentials(basic);
  if (body.client_secret !== undefined || (body.client_id !== undefined && body.client_id !== credentials.id)) {
    throw new OAuthError(
      'invalid_request',
      'Send the credentials of the app in one way: in the body, or by HTTP Basic.',
    );
  }
  return credentials;
}

/** The user name and password of HTTP Basic, each form-encoded before they were joined (RFC 6749 §2.3.1). */
function parseBasicCredentials(basic: string): ClientCredentials {
  const [id = '', ...secret] = Buffer.from(basic.trim(), 'base64').toString('utf8').split(':');
  try {
    const [decodedId, decodedSecret] = [id, secret.join(':')].map((part) =>
      decodeURIComponent(part.replace(/\+/g, ' ')),
    );
    return { id: decodedId, secret: decodedSecret };
  } catch {
    throw createInvalidClientError();
  }
}

export function createInvalidClientError(appId?: string, detail?: string): OAuthError {
  const description = 'There is no app with this client_id and client_secret.';
  const headers = { 'WWW-Authenticate': 'Basic realm="street-art-map", charset="UTF-8"' };
  return new OAuthError('invalid_client', description, 401, headers, { appId, detail });
}
