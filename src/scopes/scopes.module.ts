import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { KeysModule } from '../keys/keys.module.js';
import { AccessTokens } from './access-tokens.js';
import { RouteDeclarations } from './route-declarations.js';
import { ScopeGuard } from './scope.guard.js';

@Module({
  imports: [KeysModule, JwtModule.register({}), DiscoveryModule],
  providers: [AccessTokens, RouteDeclarations, { provide: APP_GUARD, useClass: ScopeGuard }],
  exports: [AccessTokens, RouteDeclarations],
})
export class ScopesModule {}
