import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import type { NewAccount } from '../../src/identity/accounts/new-account.js';
import type { App } from '../../src/identity/clients/app.entity.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import type { NewApp } from '../../src/identity/clients/new-app.js';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import type { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { MarkersStore, type NewMarker } from '../../src/map/markers/markers.store.js';
import { TokenIssuanceService } from '../../src/identity/oauth/token-issuance.service.js';
import type { TokenResponse } from '../../src/identity/oauth/token-response.dto.js';
import { type Scope, SCOPES } from '../../src/identity/scopes/scopes.js';
import type { TestServer } from './test-server.js';

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

let sequence = 0;

export async function createAccount(server: TestServer, given: Partial<NewAccount> = {}): Promise<Account> {
  const username = `person${++sequence}`;
  const account = { username, email: `${username}@example.org`, name: `Person ${sequence}`, password: 'correct horse' };
  return server.get(AccountsService).create({ ...account, ...given });
}

/** An app with its secret, as the body of a token request carries them. */
export interface TestApp {
  app: App;
  credentials: { client_id: string; client_secret: string };
}

export async function registerApp(server: TestServer, given: Partial<NewApp> = {}): Promise<TestApp> {
  const redirectUris = ['https://app.example.org/callback'];
  const made = await server
    .get(AppsService)
    .register({ name: `App ${++sequence}`, redirectUris, scopes: ALL_SCOPES, ...given });
  return { app: made.app, credentials: { client_id: made.app.id, client_secret: made.clientSecret } };
}

/** Tokens of an app for a person: as they come from the person's consent. */
export async function issueTokens(
  server: TestServer,
  { app, account, scopes = ALL_SCOPES }: { app: App; account: Account; scopes?: Scope[] },
): Promise<TokenResponse> {
  const granted = { app, account, scopes, authTime: new Date() };
  const authorizations = server.get(TokenIssuanceService);
  const { refreshToken } = await server
    .get(TransactionService)
    .run((tx) => authorizations.createAuthorization(tx, granted));
  return authorizations.createTokenResponse(granted, refreshToken);
}

/** An access token of some app for a person, or for somebody. */
export async function issueAccessToken(
  server: TestServer,
  scopes: Scope[] = ALL_SCOPES,
  account?: Account,
): Promise<string> {
  const { app } = await registerApp(server);
  const person = account ?? (await createAccount(server));
  return (await issueTokens(server, { app, account: person, scopes })).access_token;
}

export async function createMarker(server: TestServer, given: Partial<NewMarker> = {}): Promise<Marker> {
  const marker = { title: `Work ${++sequence}`, location: { lat: 52.1, lon: 5.01 }, ...given };
  return server.get(TransactionService).run((tx) => server.get(MarkersStore).create(tx, marker));
}

export async function createArtist(server: TestServer, name = `Artist ${++sequence}`): Promise<Artist> {
  return server.get(TransactionService).run((tx) => server.get(ArtistsStore).create(tx, { name }));
}
