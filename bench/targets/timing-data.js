import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Account } from '../../dist/src/identity/accounts/account.entity.js';
import { AccountsService } from '../../dist/src/identity/accounts/accounts.service.js';
import { AppModule } from '../../dist/src/app.module.js';
import { App } from '../../dist/src/identity/clients/app.entity.js';
import { AppsService } from '../../dist/src/identity/clients/apps.service.js';
import { generateSecret } from '../../dist/src/platform/crypto/opaque-secret.js';
import { generateId } from '../../dist/src/platform/database/ids.js';
import { TransactionService } from '../../dist/src/platform/database/transaction.service.js';
import { TokenIssuanceService } from '../../dist/src/identity/oauth/token-issuance.service.js';
import { announceReady } from './target-protocol.js';

/** Apps and tokens that are there, and so many made in the same way that are not. */
const APP_COUNT = 500;
const TOKEN_COUNT = 500;

/** People who are there, and so many names of the same form that nobody has: each is tried once. */
const accountCount = Number(process.env.ACCOUNTS);

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
const transactions = app.get(TransactionService);
const tokenIssuance = app.get(TokenIssuanceService);

const given = { name: 'Bench', redirectUris: ['https://bench.example/callback'], scopes: ['markers:read'] };
const { app: caller, clientSecret } = await app.get(AppsService).register(given);
const { app: other } = await app.get(AppsService).register(given);
const person = { username: 'bench', email: 'bench@example.org', name: 'Bench', password: 'correct horse' };
const account = await app.get(AccountsService).create(person);

/** By turns there and not there, so that both are spread alike over the index. */
const createInterleaved = (count, make) => ({
  there: [],
  not: [],
  ...splitAlternating(Array.from({ length: 2 * count }, make)),
});
const splitAlternating = (all) => ({
  there: all.filter((_, at) => at % 2 === 0),
  not: all.filter((_, at) => at % 2 === 1),
});

const ids = createInterleaved(APP_COUNT, () => generateId('app'));
await transactions.run(async (tx) => {
  for (const id of ids.there) await tx.insert(App, { ...other, id });
});

const names = createInterleaved(accountCount, (_, at) => `person${String((at * 7919) % 1_000_003).padStart(7, '0')}`);
await transactions.run(async (tx) => {
  for (const name of names.there) {
    const own = {
      id: generateId('usr'),
      username: name,
      usernameKey: name,
      email: `${name}@x.org`,
      emailKey: `${name}@x.org`,
    };
    await tx.insert(Account, { ...account, ...own });
  }
});

const tokens = { existing: [], missing: Array.from({ length: TOKEN_COUNT }, () => generateSecret('sam_refresh')) };
const granted = { app: other, account, scopes: ['markers:read'], authTime: new Date() };
for (let at = 0; at < TOKEN_COUNT; at++) {
  tokens.existing.push((await transactions.run((tx) => tokenIssuance.createAuthorization(tx, granted))).refreshToken);
}
await app.close();
announceReady({ caller: { client_id: caller.id, client_secret: clientSecret }, ids, names, tokens });
