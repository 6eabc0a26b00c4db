import 'reflect-metadata';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../dist/src/app.module.js';
import { APP_OPTIONS, configureApp } from '../../dist/src/app.setup.js';
import { Settings } from '../../dist/src/platform/config/settings.js';
import { GracefulExpressAdapter } from '../../dist/src/platform/http/graceful-express.adapter.js';
import { AccessTokensService } from '../../dist/src/identity/scopes/access-tokens.service.js';
import { Public } from '../../dist/src/platform/http/public.decorator.js';
import { RequireScope } from '../../dist/src/identity/scopes/require-scope.decorator.js';
import { announceReady, SMALL_RESPONSE } from './target-protocol.js';

/** One small route with the scope guard, and the same route without it. */
class BenchController {
  guarded() {
    return SMALL_RESPONSE;
  }
  open() {
    return SMALL_RESPONSE;
  }
}
const describeMethod = (name) => [
  BenchController.prototype,
  name,
  Object.getOwnPropertyDescriptor(BenchController.prototype, name),
];
Get('guarded')(...describeMethod('guarded'));
RequireScope('markers:read')(...describeMethod('guarded'));
Get('open')(...describeMethod('open'));
Public('no-token')(...describeMethod('open'));
Controller('api/bench')(BenchController);

class BenchModule {}
Module({ imports: [AppModule], controllers: [BenchController] })(BenchModule);

const app = await NestFactory.create(BenchModule, new GracefulExpressAdapter(), APP_OPTIONS);
configureApp(app, app.get(Settings));
await app.listen(0, '127.0.0.1');
const url = `${await app.getUrl()}/api/bench`;
const issueTokens = (jkt) =>
  Array.from({ length: 64 }, (_, index) =>
    app.get(AccessTokensService).sign(`usr_${index}`, 'app_bench', ['markers:read'], 'api', jkt),
  );
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const dpopKey = privateKey.export({ format: 'jwk' });
const { crv, kty, x, y } = dpopKey;
const jkt = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
announceReady({
  guarded: `${url}/guarded`,
  open: `${url}/open`,
  tokens: issueTokens(),
  bound: { tokens: issueTokens(jkt), dpopKey, htu: `${app.get(Settings).BASE_URL}/api/bench/guarded` },
});
