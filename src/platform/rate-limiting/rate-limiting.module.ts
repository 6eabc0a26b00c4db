import { Module } from '@nestjs/common';
import { RateLimiter } from './rate-limiter.service.js';

/** Provides the rate limiter. */
@Module({ providers: [RateLimiter], exports: [RateLimiter] })
export class RateLimitingModule {}
