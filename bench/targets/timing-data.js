import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Account } from '../../dist/src/identity/accounts/account.entity.js';
import { AccountsService } from '../../dist/src/identity/accounts/accounts.service.js';
import { AppModule } from '../../dist/src/app.module.js';
import { App } from '../../dist/src/identity/apps/app.entity.js';
import { AppsService } from '../../dist/src/identity/apps/apps.service.js';
import { generateSecret } from '../../dist/src/platform/crypto/opaque-secret.js';
import { generateId } from '../../dist/src/platform/database/ids.js';
import { TransactionService } from '../../dist/src/platform/database/transaction.service.js';
import { TokenIssuanceService } from '../../dist/src/identity/oauth/token-issuance.service.js';
import { announceReady } from './target-protocol.js';

/** Number of existing apps and tokens, and of missing ones that are generated in the same way. */
const APP_COUNT = 500;
const TOKEN_COUNT = 500;

/** Number of existing accounts, and of usernames without an account. Each name is used once. */
const accountCount = Number(process.env.ACCOUNTS);

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const transactions = app.get(TransactionService);
const tokenIssuance = app.get(TokenIssuanceService);

const appSettings = { name: 'Bench', redirectUris: ['https://bench.example/callback'], scopes: ['markers:read'] };
const { app: caller, clientSecret } = await app.get(AppsService).register(appSettings);
const { app: other } = await app.get(AppsService).register({ ...appSettings, name: 'Other bench' });
const person = { username: 'bench', email: 'bench@example.org', name: 'Bench', password: 'correct horse' };
const account = await app.get(AccountsService).create(person);

/**
 * Generates keys that are existing and missing in turns, so that both are distributed equally in
 * the index.
 */
const createInterleaved = (count, make) => ({
  existing: [],
  missing: [],
  ...splitAlternating(Array.from({ length: 2 * count }, make)),
});
const splitAlternating = (items) => ({
  existing: items.filter((_, index) => index % 2 === 0),
  missing: items.filter((_, index) => index % 2 === 1),
});

const ids = createInterleaved(APP_COUNT, () => generateId('app'));
await transactions.run(async (tx) => {
  for (const id of ids.existing) await tx.insert(App, { ...other, id });
});

const names = createInterleaved(
  accountCount,
  (_, index) => `person${String((index * 7919) % 1_000_003).padStart(7, '0')}`,
);
await transactions.run(async (tx) => {
  for (const name of names.existing) {
    const columns = {
      id: generateId('usr'),
      username: name,
      usernameKey: name,
      email: `${name}@x.org`,
      emailKey: `${name}@x.org`,
    };
    await tx.insert(Account, { ...account, ...columns });
  }
});

const tokens = { existing: [], missing: Array.from({ length: TOKEN_COUNT }, () => generateSecret('sam_refresh')) };
const granted = { app: other, account, scopes: ['markers:read'], authTime: new Date() };
for (let index = 0; index < TOKEN_COUNT; index++) {
  tokens.existing.push((await transactions.run((tx) => tokenIssuance.createAuthorization(tx, granted))).refreshToken);
}
await app.close();
announceReady({ caller: { client_id: caller.id, client_secret: clientSecret }, ids, names, tokens });
