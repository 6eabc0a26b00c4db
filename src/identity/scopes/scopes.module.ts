import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { RateLimitingModule } from '../../platform/rate-limiting/rate-limiting.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AccessTokensService } from './access-tokens.service.js';
import { ApiRateLimitGuard } from './api-rate-limit.guard.js';
import { ApiRateLimitsService } from './api-rate-limits.service.js';
import { AppUseBufferService } from './app-use-buffer.service.js';
import { CallerLoader } from './caller.loader.js';
import { DpopProofsService } from './dpop-proofs.service.js';
import { EndedCallersModule } from './ended-callers.module.js';
import { RouteRegistryService } from './route-registry.service.js';
import { ScopeGuard } from './scope.guard.js';

/** Scopes, access tokens, and the two global guards of every route. */
@Module({
  imports: [EndedCallersModule, RateLimitingModule, KeysModule, JwtModule.register({}), DiscoveryModule],
  providers: [
    AccessTokensService,
    ApiRateLimitsService,
    CallerLoader,
    AppUseBufferService,
    DpopProofsService,
    RouteRegistryService,
    // Global guards run in this order: authorization first, then the rate limit.
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: ApiRateLimitGuard },
  ],
  exports: [
    AccessTokensService,
    ApiRateLimitsService,
    CallerLoader,
    AppUseBufferService,
    DpopProofsService,
    RouteRegistryService,
  ],
})
export class ScopesModule {}
