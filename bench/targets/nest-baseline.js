import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsString } from 'class-validator';
import { CHAIN_COUNT, CLIENT, createEs256Signer, announceReady } from './target-protocol.js';

/** The body of a refresh request. */
class RefreshRequest {}
for (const member of ['grant_type', 'refresh_token', 'client_id', 'client_secret'])
  IsString()(RefreshRequest.prototype, member);

const access_token = createEs256Signer().jwt({ sub: 'bench', scope: 'markers:read edits:write', exp: 3600 });

/** Returns a token response without any work. */
class BaselineController {
  refresh({ refresh_token }) {
    return { access_token, token_type: 'Bearer', expires_in: 3600, refresh_token, scope: 'markers:read edits:write' };
  }
}
const refreshDescriptor = Object.getOwnPropertyDescriptor(BaselineController.prototype, 'refresh');
Reflect.defineMetadata('design:paramtypes', [RefreshRequest], BaselineController.prototype, 'refresh');
Body()(BaselineController.prototype, 'refresh', 0);
Post('token')(BaselineController.prototype, 'refresh', refreshDescriptor);
HttpCode(200)(BaselineController.prototype, 'refresh', refreshDescriptor);
Controller()(BaselineController);

class BaselineModule {}
Module({ controllers: [BaselineController] })(BaselineModule);

const app = await NestFactory.create(BaselineModule, { logger: false });
app.disable('x-powered-by');
app.set('etag', false);
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(0, '127.0.0.1');
const tokens = Array.from({ length: CHAIN_COUNT }, (_, index) => `sam_refresh_${'x'.repeat(43)}${index}`);
announceReady({ url: `${await app.getUrl()}/token`, client: CLIENT, form: false, tokens, isEmpty: true });
