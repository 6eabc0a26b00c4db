import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../dist/src/app.module.js';
import { APP_OPTIONS, setUp } from '../../dist/src/app.setup.js';
import { Settings } from '../../dist/src/config/settings.js';
import { ExpressServer } from '../../dist/src/http/express-server.js';
import { AccessTokens } from '../../dist/src/scopes/access-tokens.js';
import { Public } from '../../dist/src/scopes/public.decorator.js';
import { RequireScope } from '../../dist/src/scopes/require-scope.decorator.js';
import { ready, SMALL } from './target.js';

/** One small route, with the gate before it and without. */
class Small {
  guarded() {
    return SMALL;
  }
  open() {
    return SMALL;
  }
}
const method = (name) => [Small.prototype, name, Object.getOwnPropertyDescriptor(Small.prototype, name)];
Get('guarded')(...method('guarded'));
RequireScope('markers:read')(...method('guarded'));
Get('open')(...method('open'));
Public('no-token')(...method('open'));
Controller('api/bench')(Small);

class Bench {}
Module({ imports: [AppModule], controllers: [Small] })(Bench);

const app = await NestFactory.create(Bench, new ExpressServer(), APP_OPTIONS);
setUp(app, app.get(Settings));
await app.listen(0, '127.0.0.1');
const url = `${await app.getUrl()}/api/bench`;
const tokens = Array.from({ length: 64 }, (_, at) =>
  app.get(AccessTokens).sign(`usr_${at}`, 'app_bench', ['markers:read']),
);
ready({ guarded: `${url}/guarded`, open: `${url}/open`, tokens });
