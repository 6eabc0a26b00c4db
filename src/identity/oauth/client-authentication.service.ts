import { Injectable } from '@nestjs/common';
import { computeDigest, isEqualDigest } from '../../platform/crypto/opaque-secret.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import { AppsStore } from '../apps/apps.store.js';
import { OAuthError } from './oauth-error.js';
import type { ClientCredentialsDto } from './token.dto.js';

interface ClientCredentials {
  id: string | undefined;
  secret: string | undefined;
}

/** The app that a request names, and the secret that the request sent, which can be empty. */
export interface IdentifiedClient {
  app: App | null;
  secret: string | undefined;
}

/**
 * Compared with the secret of an unknown app, so that the time of the response does not depend on
 * the app.
 */
const DUMMY_SECRET_DIGEST = computeDigest('no secret');

/**
 * Authenticates the client of a token or revoke request by body fields or HTTP Basic (RFC 6749
 * §2.3.1).
 */
@Injectable()
export class ClientAuthenticationService {
  constructor(
    private readonly apps: AppsStore,
    private readonly appsService: AppsService,
  ) {}

  /**
   * Returns the app that the request names, authenticated or not, so that the response to a public
   * client can allow its origin.
   * @throws OAuthError `invalid_client`, or `invalid_request` for credentials in two places
   */
  async identify(params: ClientCredentialsDto, authorization: string | undefined): Promise<IdentifiedClient> {
    const { id, secret } = parseCredentials(params, authorization);
    if (!id) throw createMissingCredentialError('client_id');
    return { app: await this.apps.find(id), secret };
  }

  /**
   * Returns the app if it is authenticated. A confidential client sends its secret; a replaced
   * secret is valid until it expires. A public client sends none, or an empty one (RFC 6749
   * §2.3.1). An unknown app, a wrong secret and a disabled app get the same error.
   * @throws OAuthError `invalid_client`
   */
  async authenticate({ app, secret }: IdentifiedClient): Promise<App> {
    if (app?.clientType === 'public') return authenticatePublicClient(app, secret);
    const digest = computeDigest(secret ?? '');
    const isCurrent = isEqualDigest(digest, app?.secretDigest ?? DUMMY_SECRET_DIGEST);
    const isPrevious =
      isEqualDigest(digest, app?.previousSecretDigest ?? DUMMY_SECRET_DIGEST) && isFuture(app?.previousSecretExpiresAt);
    if (!secret) throw createMissingCredentialError('client_secret', app?.id);
    if (!app || !(isCurrent || isPrevious)) throw createInvalidClientError(app?.id, 'client_secret is wrong.');
    if (app.disabledAt) throw createInvalidClientError(app.id, 'The app is disabled.');
    if (isPrevious) await this.appsService.recordPreviousSecretUse(app);
    return app;
  }
}

function authenticatePublicClient(app: App, secret: string | undefined): App {
  if (secret) {
    const description = 'client_secret must not be sent. This app is a public client: leave client_secret out.';
    throw createInvalidClientError(app.id, undefined, description);
  }
  if (app.disabledAt) throw createInvalidClientError(app.id, 'The app is disabled.');
  return app;
}

function isFuture(date: Date | null | undefined): boolean {
  return date != null && date > new Date();
}

function parseCredentials(params: ClientCredentialsDto, authorization = ''): ClientCredentials {
  if (!/^Basic\b/i.test(authorization)) return { id: params.client_id, secret: params.client_secret };

  const credentials = parseBasicCredentials(authorization);
  if (params.client_secret || (params.client_id !== undefined && params.client_id !== credentials.id)) {
    throw new OAuthError(
      'invalid_request',
      'The app credentials were sent twice. Send them either in the body or with HTTP Basic.',
    );
  }
  return credentials;
}

/**
 * Parses HTTP Basic credentials. User name and password are form-encoded (RFC 6749 §2.3.1).
 * @throws OAuthError `invalid_client` if the header cannot be read
 */
function parseBasicCredentials(authorization: string): ClientCredentials {
  const [, basic = ''] = /^Basic +([\w+/-]+=*) *$/i.exec(authorization) ?? [];
  const [, id, secret = ''] = /^([^:]+):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? [];
  if (id === undefined) throw createUnreadableHeaderError();
  try {
    return { id: decodeFormValue(id), secret: decodeFormValue(secret) };
  } catch {
    throw createUnreadableHeaderError(); // the percent-encoding is malformed
  }
}

function decodeFormValue(value: string): string {
  return decodeURIComponent(value.replace(/\+/g, ' '));
}

/**
 * Creates the `invalid_client` error. By default, an unknown app, a wrong secret and a disabled app
 * have one description.
 * @param detail the cause, for the developer of the app
 * @param description the cause, if the response may tell it
 */
export function createInvalidClientError(
  appId?: string,
  detail?: string,
  description = 'client_id or client_secret is wrong, or the app is disabled. Check the credentials of the app.',
): OAuthError {
  return new OAuthError('invalid_client', description, { appId, detail });
}

function createUnreadableHeaderError(): OAuthError {
  const fix = 'Send Basic, followed by client_id:client_secret in Base64.';
  return new OAuthError('invalid_client', `The header Authorization cannot be read. ${fix}`);
}

/** Creates the `invalid_client` error for a missing credential. It does not depend on the app. */
export function createMissingCredentialError(name: string, appId?: string): OAuthError {
  return new OAuthError('invalid_client', `${name} is missing.`, { appId });
}
