import { Injectable } from '@nestjs/common';
import type { AttemptResult, Quota } from './rate-limit-policy.js';
import { RedisConnectionService } from './redis-connection.service.js';

/** Counts attempts in Redis, so that all processes share the windows. */
@Injectable()
export class RedisWindowsService {
  constructor(private readonly connection: RedisConnectionService) {}

  /** Counts an attempt, in one round trip. @returns undefined if Redis is not in use */
  increment(quotas: Quota[]): Promise<AttemptResult | undefined> {
    return this.connection.run((client) =>
      client.incrementWindows(
        quotas.map(({ policy: { name, limit, windowSeconds }, key }) => ({
          key: buildKey(name, key),
          limit,
          windowSeconds,
        })),
      ),
    );
  }

  /** Takes one attempt back. @returns whether Redis is in use */
  async decrement(quotas: Quota[]): Promise<boolean> {
    const keys = quotas.map(({ policy, key }) => buildKey(policy.name, key));
    return (await this.connection.run((client) => client.decrementWindows(keys))) !== undefined;
  }
}

function buildKey(policyName: string, key: string): string {
  return `street-art-map:${policyName}:${key}`;
}
