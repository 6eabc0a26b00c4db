import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { announceReady, SMALL_RESPONSE } from './target-protocol.js';

/** The built service; `SERVICE_ROOT` names another build, for example of an older commit. */
const root = process.env.SERVICE_ROOT ? `file://${process.env.SERVICE_ROOT}/` : new URL('../../', import.meta.url);
const load = (path) => import(new URL(`dist/src/${path}.js`, root).href);
const { AppModule } = await load('app.module');
const { APP_OPTIONS, configureApp } = await load('app.setup');
const { Settings } = await load('platform/config/settings');
const { GracefulExpressAdapter } = await load('platform/http/graceful-express.adapter');
const { AccessTokensService } = await load('identity/scopes/access-tokens.service');
const { Public } = await load('platform/http/public.decorator');

/** A route without work and without the scope guard. */
class OpenController {
  get() {
    return SMALL_RESPONSE;
  }
}
const descriptor = Object.getOwnPropertyDescriptor(OpenController.prototype, 'get');
Get('open')(OpenController.prototype, 'get', descriptor);
Public('no-token')(OpenController.prototype, 'get', descriptor);
Controller('api/bench')(OpenController);

class BenchModule {}
Module({ imports: [AppModule], controllers: [OpenController] })(BenchModule);

const app = await NestFactory.create(BenchModule, new GracefulExpressAdapter(), APP_OPTIONS);
configureApp(app, app.get(Settings));
await app.listen(0, '127.0.0.1');
const tokens = Array.from({ length: 64 }, (_, index) =>
  app.get(AccessTokensService).sign(`usr_${index}`, 'app_bench', ['markers:read'], 'api'),
);
announceReady({ url: `${await app.getUrl()}/api`, tokens });
