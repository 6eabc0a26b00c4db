import { Injectable } from '@nestjs/common';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import { digest, sameDigest } from '../crypto/opaque-secret.js';
import { OAuthError } from './oauth-error.js';
import type { AppCredentialsRequest } from './token-request.js';

interface Credentials {
  id: string | undefined;
  secret: string | undefined;
}

/** What is compared where there is no app, or no old secret of it. */
const NO_SECRET = digest('no secret');

/** Answers which app calls the token and revoke endpoints (RFC 6749 §2.3.1): by fields of the body, or by HTTP Basic. */
@Injectable()
export class AppCredentials {
  constructor(private readonly apps: AppsService) {}

  /**
   * An unknown app, a wrong secret and a disabled app get the same answer. A secret that was replaced is good while it is kept.
   * @throws OAuthError invalid_client, or invalid_request where credentials are given in two ways
   */
  async verify(body: AppCredentialsRequest, authorization: string | undefined): Promise<App> {
    const { id, secret } = credentialsOf(body, authorization);
    const presented = digest(secret ?? '');
    const app = await this.apps.find(id ?? '');
    const isSecret = sameDigest(presented, app?.secretDigest ?? NO_SECRET);
    const isOld = sameDigest(presented, app?.oldSecretDigest ?? NO_SECRET) && isAhead(app?.oldSecretUntil);
    if (!app || !(isSecret || isOld)) throw invalidClient(app?.id, 'The client_secret is missing or wrong.');
    if (app.disabledAt) throw invalidClient(app.id, 'The app is disabled.');
    if (isOld) await this.apps.noteOldSecret(app);
    return app;
  }
}

function isAhead(moment: Date | null | undefined): boolean {
  return moment != null && moment > new Date();
}

function credentialsOf(body: AppCredentialsRequest, authorization: string | undefined): Credentials {
  const basic = /^Basic +(.*)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return { id: body.client_id, secret: body.client_secret };

  const credentials = readBasic(basic);
  if (body.client_secret !== undefined || (body.client_id !== undefined && body.client_id !== credentials.id)) {
    throw new OAuthError(
      'invalid_request',
      'Send the credentials of the app in one way: in the body, or by HTTP Basic.',
    );
  }
  return credentials;
}

/** The user name and password of HTTP Basic, each form-encoded before they were joined (RFC 6749 §2.3.1). */
function readBasic(basic: string): Credentials {
  const [id = '', ...secret] = Buffer.from(basic.trim(), 'base64').toString('utf8').split(':');
  try {
    const [decodedId, decodedSecret] = [id, secret.join(':')].map((part) =>
      decodeURIComponent(part.replace(/\+/g, ' ')),
    );
    return { id: decodedId, secret: decodedSecret };
  } catch {
    throw invalidClient();
  }
}

export function invalidClient(appId?: string, detail?: string): OAuthError {
  const description = 'There is no app with this client_id and client_secret.';
  const headers = { 'WWW-Authenticate': 'Basic realm="street-art-map", charset="UTF-8"' };
  return new OAuthError('invalid_client', description, 401, headers, { appId, detail });
}
