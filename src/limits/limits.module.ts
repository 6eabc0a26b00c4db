import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { API_LIMITS } from './api-limits.js';
import { RateLimits } from './rate-limits.js';
import { Windows } from './windows.js';

@Module({
  imports: [ThrottlerModule.forRootAsync({ useFactory: () => ({ throttlers: API_LIMITS, storage: new Windows() }) })],
  providers: [RateLimits],
  exports: [RateLimits, ThrottlerModule],
})
export class LimitsModule {}
