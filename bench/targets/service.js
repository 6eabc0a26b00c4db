import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../dist/src/app.module.js';
import { APP_OPTIONS, configureApp } from '../../dist/src/app.setup.js';
import { AccountsService } from '../../dist/src/identity/accounts/accounts.service.js';
import { AppsService } from '../../dist/src/identity/apps/apps.service.js';
import { Settings } from '../../dist/src/platform/config/settings.js';
import { TransactionService } from '../../dist/src/platform/database/transaction.service.js';
import { GracefulExpressAdapter } from '../../dist/src/platform/http/graceful-express.adapter.js';
import { TokenIssuanceService } from '../../dist/src/identity/oauth/token-issuance.service.js';
import { CHAIN_COUNT, announceReady } from './target-protocol.js';

const app = await NestFactory.create(AppModule, new GracefulExpressAdapter(), APP_OPTIONS);
configureApp(app, app.get(Settings));
await app.listen(0, '127.0.0.1');
const transactions = app.get(TransactionService);

const scopes = ['markers:read', 'edits:write'];
const username = process.env.NAME ?? 'bench';
const appSettings = { name: `Bench ${username}`, redirectUris: ['https://bench.example/callback'], scopes };
const { app: client, clientSecret } = await app.get(AppsService).register(appSettings);
const person = { username, email: `${username}@example.org`, name: 'Bench', password: 'correct horse' };
const account = await app.get(AccountsService).create(person);
const authorization = { app: client, account, scopes, authTime: new Date() };
const tokens = [];
for (let index = 0; index < CHAIN_COUNT; index++) {
  const { refreshToken } = await transactions.run((tx) =>
    app.get(TokenIssuanceService).createAuthorization(tx, authorization),
  );
  tokens.push(refreshToken);
}
announceReady({
  url: `${await app.getUrl()}/api/oauth/token`,
  client: { id: client.id, secret: clientSecret },
  form: false,
  tokens,
});
