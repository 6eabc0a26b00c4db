import { DataSource, type DataSourceOptions } from 'typeorm';
import { Account } from './src/identity/accounts/account.entity.js';
import { KnownBrowser } from './src/identity/accounts/sign-in/known-browser.entity.js';
import { Passkey, UsedPasskeyChallenge } from './src/identity/accounts/passkeys/passkey.entity.js';
import { EmailToken } from './src/identity/accounts/email-token.entity.js';
import { ReservedIdentity } from './src/identity/accounts/deletion/reserved-identity.entity.js';
import { Session } from './src/identity/accounts/sessions/session.entity.js';
import { SignInAttemptCounter } from './src/identity/accounts/sign-in/sign-in-attempt-counter.entity.js';
import { ProfilePicture } from './src/identity/accounts/profile/profile-picture.entity.js';
import { App } from './src/identity/apps/app.entity.js';
import { Artist } from './src/map/artists/artist.entity.js';
import { AuditEvent } from './src/platform/audit/audit-event.entity.js';
import { Collection, CollectionItem } from './src/map/collections/collection.entity.js';
import { Edit } from './src/map/edits/edit.entity.js';
import { FailedCall } from './src/identity/apps/failed-calls/failed-call.entity.js';
import { EntityVersion } from './src/map/history/entity-version.entity.js';
import { SigningKey } from './src/identity/keys/signing-key.entity.js';
import { MapChange, MapChangeCounter, MapChangeEpoch } from './src/map/changes/map-change.entity.js';
import { MarkerImport } from './src/map/markers/marker-import.entity.js';
import { Marker } from './src/map/markers/marker.entity.js';
import { Region } from './src/map/regions/region.entity.js';
import { Authorization } from './src/identity/oauth/authorization.entity.js';
import { AuthorizationCode } from './src/identity/oauth/authorize/authorization-code.entity.js';
import { Consent } from './src/identity/oauth/consents/consent.entity.js';
import { RefreshToken } from './src/identity/oauth/refresh-token.entity.js';
import { IdempotentResponse } from './src/platform/idempotency/idempotent-response.entity.js';
import { OutgoingEmail } from './src/platform/mail/outgoing-email.entity.js';
import { RateLimitWindow } from './src/platform/rate-limiting/rate-limit-window.entity.js';
import { ScheduledTask } from './src/platform/scheduling/scheduled-task.entity.js';
import { readDatabaseUrl } from './src/platform/config/database-url.js';
import { createDataSourceOptions, type DatabaseAccess } from './src/platform/database/data-source-options.js';

/**
 * The entities of all modules. The service does not use this list: each module registers its own
 * entities.
 */
const ENTITIES = [
  Account,
  EmailToken,
  App,
  Artist,
  AuditEvent,
  Authorization,
  AuthorizationCode,
  ScheduledTask,
  Collection,
  CollectionItem,
  Consent,
  Edit,
  EntityVersion,
  FailedCall,
  KnownBrowser,
  MapChange,
  MapChangeCounter,
  MapChangeEpoch,
  MarkerImport,
  Marker,
  OutgoingEmail,
  Passkey,
  ProfilePicture,
  RateLimitWindow,
  RefreshToken,
  Region,
  ReservedIdentity,
  IdempotentResponse,
  Session,
  SigningKey,
  SignInAttemptCounter,
  UsedPasskeyChallenge,
];

/**
 * Returns the options of a data source that knows all entities, for the TypeORM command line and
 * for tests.
 */
export function createOrmConfig(url: string, access: DatabaseAccess): DataSourceOptions {
  return { ...createDataSourceOptions(url, access), entities: ENTITIES };
}

export default new DataSource(createOrmConfig(readDatabaseUrl(process.env), 'write'));
