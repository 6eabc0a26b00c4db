import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { KeysModule } from '../keys/keys.module.js';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AppUses } from './app-uses.js';
import { DeletedAccountsModule } from './deleted-accounts.module.js';
import { DisabledAppsModule } from './disabled-apps.module.js';
import { ApiRateLimitGuard } from './api-rate-limit.guard.js';
import { RouteRegistryService } from './route-registry.service.js';
import { ScopeGuard } from './scope.guard.js';

/** Scopes, access tokens, and the two global guards of every route. */
@Module({
  imports: [
    DeletedAccountsModule,
    DisabledAppsModule,
    RateLimitingModule,
    KeysModule,
    JwtModule.register({}),
    DiscoveryModule,
  ],
  providers: [
    AccessTokensService,
    AppUses,
    RouteRegistryService,
    // Global guards run in this order: authorization first, then the rate limit.
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: ApiRateLimitGuard },
  ],
  exports: [AccessTokensService, AppUses, RouteRegistryService],
})
export class ScopesModule {}
