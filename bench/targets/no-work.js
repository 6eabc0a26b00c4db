import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString } from 'class-validator';
import { chains, CLIENT, es256, ready } from './target.js';

/** What a refresh sends. */
class Refresh {}
for (const member of ['grant_type', 'refresh_token', 'client_id', 'client_secret'])
  IsString()(Refresh.prototype, member);

const access_token = es256().jwt({ sub: 'bench', scope: 'markers:read edits:write', exp: 3600 });

/** Answers as a refresh does, and does nothing. */
class Route {
  refresh({ refresh_token }) {
    return { access_token, token_type: 'Bearer', expires_in: 3600, refresh_token, scope: 'markers:read edits:write' };
  }
}
const method = Object.getOwnPropertyDescriptor(Route.prototype, 'refresh');
Reflect.defineMetadata('design:paramtypes', [Refresh], Route.prototype, 'refresh');
Body()(Route.prototype, 'refresh', 0);
Post('token')(Route.prototype, 'refresh', method);
HttpCode(200)(Route.prototype, 'refresh', method);
Controller()(Route);

class NoWork {}
Module({ controllers: [Route] })(NoWork);

const app = await NestFactory.create(NoWork, { logger: false });
app.disable('x-powered-by');
app.set('etag', false);
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
const tokens = Array.from({ length: chains }, (_, at) => `sam_refresh_${'x'.repeat(43)}${at}`);
ready({ url: `${await app.getUrl()}/token`, client: CLIENT, form: false, tokens, isEmpty: true });
