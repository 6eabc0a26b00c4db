import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService, type NewAccount } from '../../src/accounts/accounts.service.js';
import type { App } from '../../src/apps/app.entity.js';
import { AppsService, type NewApp } from '../../src/apps/apps.service.js';
import { ArtistsStore } from '../../src/artists/artists-store.js';
import type { Artist } from '../../src/artists/artist.entity.js';
import { Transactions } from '../../src/database/transactions.js';
import type { Marker } from '../../src/markers/marker.entity.js';
import { MarkersStore, type NewMarker } from '../../src/markers/markers-store.js';
import { AuthorizationsService } from '../../src/oauth/authorizations.service.js';
import type { TokenResponse } from '../../src/oauth/token-response.js';
import { type Scope, SCOPES } from '../../src/scopes/catalogue.js';
import type { Service } from './service.js';

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

let count = 0;

export async function newAccount(service: Service, given: Partial<NewAccount> = {}): Promise<Account> {
  const username = `person${++count}`;
  const account = { username, email: `${username}@example.org`, name: `Person ${count}`, password: 'correct horse' };
  return service.get(AccountsService).create({ ...account, ...given });
}

/** An app with its secret, as the body of a token request carries them. */
export interface TestApp {
  app: App;
  credentials: { client_id: string; client_secret: string };
}

export async function newApp(service: Service, given: Partial<NewApp> = {}): Promise<TestApp> {
  const redirectUris = ['https://app.example.org/callback'];
  const made = await service
    .get(AppsService)
    .register({ name: `App ${++count}`, redirectUris, scopes: ALL_SCOPES, ...given });
  return { app: made.app, credentials: { client_id: made.app.id, client_secret: made.clientSecret } };
}

/** Tokens of an app for a person: as they come from the person's consent. */
export async function newTokens(
  service: Service,
  { app, account, scopes = ALL_SCOPES }: { app: App; account: Account; scopes?: Scope[] },
): Promise<TokenResponse> {
  const granted = { app, account, scopes, authTime: new Date() };
  const authorizations = service.get(AuthorizationsService);
  const { refreshToken } = await service.get(Transactions).run((tx) => authorizations.begin(tx, granted));
  return authorizations.respond(granted, refreshToken);
}

/** An access token of some app for a person, or for somebody. */
export async function newToken(service: Service, scopes: Scope[] = ALL_SCOPES, account?: Account): Promise<string> {
  const { app } = await newApp(service);
  const person = account ?? (await newAccount(service));
  return (await newTokens(service, { app, account: person, scopes })).access_token;
}

export async function newMarker(service: Service, given: Partial<NewMarker> = {}): Promise<Marker> {
  const marker = { title: `Work ${++count}`, location: { lat: 52.1, lon: 5.01 }, ...given };
  return service.get(Transactions).run((tx) => service.get(MarkersStore).create(tx, marker));
}

export async function newArtist(service: Service, name = `Artist ${++count}`): Promise<Artist> {
  return service.get(Transactions).run((tx) => service.get(ArtistsStore).create(tx, { name }));
}
