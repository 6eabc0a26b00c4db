import { isHttpsUrl } from '../../../platform/validation/text.decorator.js';
import { InvalidFieldsError } from '../../../platform/i18n/invalid-fields-error.js';
import { parseScope, SCOPES } from '../../scopes/scopes.js';
import { type AppSettings, parseAppSettings } from '../app-settings.js';

/** As long as the column of the name. */
const MAX_NAME_LENGTH = 100;

/** Why a document cannot be fetched or does not describe an app, for the log. */
export class ClientMetadataError extends Error {
  override readonly name = 'ClientMetadataError';
}

/**
 * Returns the settings of the app that a client ID metadata document describes. Its name contains
 * the host, because the service knows nothing else about its origin.
 * @param clientId the address of the document
 * @throws ClientMetadataError
 */
export function parseClientMetadata(text: string, clientId: string): AppSettings {
  const document = parseObject(text);
  if (document['client_id'] !== clientId)
    throw new ClientMetadataError('client_id is not the address of the document.');
  const {
    client_name: name,
    redirect_uris: redirectUris,
    scope,
    token_endpoint_auth_method: method = 'none',
  } = document;
  if (method !== 'none' || 'client_secret' in document)
    throw new ClientMetadataError('token_endpoint_auth_method must be none, without a client_secret.');
  if (typeof name !== 'string') throw new ClientMetadataError('client_name must be a string.');
  if (!isStringArray(redirectUris)) throw new ClientMetadataError('redirect_uris must be an array of strings.');
  if (scope !== undefined && typeof scope !== 'string') throw new ClientMetadataError('scope must be a string.');
  try {
    const settings = parseAppSettings(
      {
        name,
        redirectUris,
        scopes: scope === undefined ? Object.keys(SCOPES) : parseScope(scope),
        homePage: toHttpsUrl(document['client_uri']),
        privacyPolicy: toHttpsUrl(document['policy_uri']),
        termsOfService: toHttpsUrl(document['tos_uri']),
      },
      'public',
    );
    return { ...settings, name: addHost(settings.name, clientId) };
  } catch (error) {
    if (!(error instanceof InvalidFieldsError)) throw error;
    throw new ClientMetadataError(`The document is not valid: ${error.message}.`);
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The same error as for JSON that is not an object.
  }
  throw new ClientMetadataError('The document is not a JSON object.');
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Returns an address that the consent page can show; other members of the document are ignored. */
function toHttpsUrl(value: unknown): string | null {
  return typeof value === 'string' && isHttpsUrl(value) ? value : null;
}

function addHost(name: string, clientId: string): string {
  const whole = `${name} (${new URL(clientId).host})`;
  if ([...whole].length > MAX_NAME_LENGTH) throw new ClientMetadataError('client_name is too long.');
  return whole;
}
