import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { ApiLimitsGuard } from './api-limits.guard.js';
import { API_LIMITS } from './api-limits.js';
import { RateLimits } from './rate-limits.js';
import { Windows } from './windows.js';

@Module({
  imports: [ThrottlerModule.forRootAsync({ useFactory: () => ({ throttlers: API_LIMITS, storage: new Windows() }) })],
  providers: [RateLimits, { provide: APP_GUARD, useClass: ApiLimitsGuard }],
  exports: [RateLimits],
})
export class LimitsModule {}
