import { computeDigest, generateSecret } from '../../platform/crypto/opaque-secret.js';
import { generateId } from '../../platform/database/ids.js';
import type { App, ClientType } from './app.entity.js';
import { type AppSettings, type AppSettingsInput, parseAppSettings } from './app-settings.js';

/** Input for a new app. */
export interface NewApp extends AppSettingsInput {
  ownerId?: string | null | undefined;
  clientType?: ClientType;
  /** Whether the operator registers one of their own apps. */
  isFirstParty?: boolean;
}

/**
 * An app with its client secret in plain text, which is available only when the secret is created.
 */
export interface AppWithSecret {
  app: App;
  /** Null for a public client, which has none. */
  clientSecret: string | null;
}

/** Column values of an app without a previous client secret. */
export const NO_PREVIOUS_SECRET = {
  previousSecretDigest: null,
  previousSecretExpiresAt: null,
  previousSecretLastUsedAt: null,
};

/**
 * Validates the input, generates the client secret of a confidential client and returns the app,
 * which is not stored yet.
 * @throws InvalidFieldsError if a setting is invalid
 */
export function buildApp({
  ownerId = null,
  clientType = 'confidential',
  isFirstParty = false,
  ...settings
}: NewApp): AppWithSecret {
  const clientSecret = clientType === 'public' ? null : generateSecret('sam_secret');
  const secretDigest = clientSecret === null ? '' : computeDigest(clientSecret);
  const row = { ownerId, clientType, isFirstParty, secretDigest };
  const app = buildAppRow(parseAppSettings(settings, clientType), row);
  return { app: { ...app, listing: settings.isOffered ? 'offered' : 'none' }, clientSecret };
}

/** Returns a new app with valid settings. */
export function buildAppRow(
  settings: AppSettings,
  row: Pick<App, 'ownerId' | 'clientType' | 'isFirstParty' | 'secretDigest'>,
): App {
  return {
    id: generateId('app'),
    ...settings,
    ...row,
    formerNames: [],
    icon: null,
    listing: 'none',
    tokenRateLimit: null,
    metadataUrl: null,
    metadataExpiresAt: null,
    ...NO_PREVIOUS_SECRET,
    createdAt: new Date(),
    disabledAt: null,
    disabledBy: null,
    deletedAt: null,
  };
}
