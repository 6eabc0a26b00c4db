import {
  ALL_REGIONS,
  type Account,
  type AccountWithEmail,
  NO_BLOCK,
  normalizeUsernameOrEmail,
} from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AccountsStore } from '../../src/identity/accounts/accounts.store.js';
import type { NewAccount } from '../../src/identity/accounts/new-account.js';
import type { App } from '../../src/identity/apps/app.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import type { NewApp } from '../../src/identity/apps/new-app.js';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import type { Artist } from '../../src/map/artists/artist.entity.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import type { NewMarker } from '../../src/map/markers/marker-row.js';
import { TokenIssuanceService } from '../../src/identity/oauth/token-issuance.service.js';
import type { TokenResponse } from '../../src/identity/oauth/token.dto.js';
import { type Scope, SCOPES } from '../../src/identity/scopes/scopes.js';
import type { TestServer } from './test-server.js';

/** Every scope of the service. */
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

let sequence = 0;

/** The password of every account that `createAccount` makes without one. */
export const TEST_PASSWORD = 'correct horse';

/**
 * Argon2id of `TEST_PASSWORD` at the lowest cost: a hash at the production cost takes 0.2 s of CPU.
 */
const TEST_PASSWORD_HASH =
  '$argon2id$v=19$m=8,p=1,t=1$cB4rou7hh/puABCAjCvveg$XiRID8CdmQ+QTsVLNBrMMkxQq1qD/vIGLOw6SAd9BOU';

/** Creates an account. With a password, the service creates it and computes the real hash. */
export async function createAccount(
  server: TestServer,
  overrides: Partial<NewAccount> = {},
): Promise<AccountWithEmail> {
  const { password, username = `person${++sequence}`, ...rest } = overrides;
  const fields = { username, email: `${username}@example.org`, name: `Person ${sequence}`, ...rest };
  if (password !== undefined) return server.get(AccountsService).create({ ...fields, password });
  const account = buildTestAccount(fields);
  return server.get(TransactionService).run((tx) => server.get(AccountsStore).insert(tx, account));
}

function buildTestAccount(fields: Omit<NewAccount, 'password'>): AccountWithEmail {
  const { username, email, name, picture = null, emailVerified = false, role = 'member', regions } = fields;
  const now = new Date();
  return {
    id: generateId('usr'),
    username,
    normalizedUsername: normalizeUsernameOrEmail(username),
    email,
    normalizedEmail: normalizeUsernameOrEmail(email),
    emailVerifiedAt: emailVerified ? now : null,
    name,
    picture,
    language: null,
    wantsDecisionMail: true,
    decisionsToldAt: null,
    passwordHash: TEST_PASSWORD_HASH,
    passwordChangedAt: now,
    termsAgreedAt: null,
    role,
    regions: regions?.length ? regions : role === 'member' ? [] : [ALL_REGIONS],
    createdAt: now,
    updatedAt: now,
    ...NO_BLOCK,
    accessRemovedAt: null,
    deletedAt: null,
  };
}

/**
 * A registered app and its credentials as the body of a token request has them. A public client has
 * no secret.
 */
export interface TestApp {
  app: App;
  credentials: { client_id: string; client_secret: string };
}

/** Registers an app with all scopes. */
export async function registerApp(server: TestServer, overrides: Partial<NewApp> = {}): Promise<TestApp> {
  const redirectUris = ['https://app.example.org/callback'];
  const registered = await server
    .get(AppsService)
    .register({ name: `App ${++sequence}`, redirectUris, scopes: ALL_SCOPES, ...overrides });
  const { app, clientSecret } = registered;
  const credentials = { client_id: app.id, ...(clientSecret !== null && { client_secret: clientSecret }) };
  return { app, credentials: credentials as TestApp['credentials'] };
}

/** Issues tokens to an app for an account, as after a consent. */
export async function issueTokens(
  server: TestServer,
  { app, account, scopes = ALL_SCOPES }: { app: App; account: Account; scopes?: Scope[] },
): Promise<TokenResponse> {
  const grant = { app, account, scopes, authTime: new Date() };
  const issuance = server.get(TokenIssuanceService);
  const { refreshToken } = await server.get(TransactionService).run((tx) => issuance.createAuthorization(tx, grant));
  return issuance.createTokenResponse(grant, refreshToken);
}

/** Issues an access token to a new app, for an account or for a new one. */
export async function issueAccessToken(
  server: TestServer,
  scopes: Scope[] = ALL_SCOPES,
  account?: Account,
): Promise<string> {
  const { app } = await registerApp(server);
  const owner = account ?? (await createAccount(server));
  return (await issueTokens(server, { app, account: owner, scopes })).access_token;
}

/** Creates a marker near Halvenstad. */
export async function createMarker(server: TestServer, overrides: Partial<NewMarker> = {}): Promise<Marker> {
  const marker = { title: `Work ${++sequence}`, location: { lat: 52.1, lon: 5.01 }, ...overrides };
  return server.get(TransactionService).run((tx) => server.get(MarkersStore).create(tx, marker));
}

/** Creates an artist. */
export async function createArtist(server: TestServer, name = `Artist ${++sequence}`): Promise<Artist> {
  return server.get(TransactionService).run((tx) => server.get(ArtistsStore).create(tx, { name }));
}
