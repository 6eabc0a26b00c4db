import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '../../../platform/config/settings.js';
import { computeDigest } from '../../../platform/crypto/opaque-secret.js';
import { listNetworkAggregates, type NetworkAggregate } from '../../../platform/http/client-address.js';
import { lockWindow } from '../../../platform/rate-limiting/database-windows.service.js';
import { RateLimitWindow } from '../../../platform/rate-limiting/rate-limit-window.entity.js';

/** Failures that one network may cause in a fixed window, for all names together. */
export interface NetworkFailurePolicy {
  /** The kind of failure. Each kind has its own windows. */
  name: string;
  windowSeconds: number;
  /** Failures per window, of a network of each size. */
  limits: Record<NetworkAggregate['size'], number>;
}

/** The windows in which an attempt was counted, by digest. */
export type CountedWindows = readonly Pick<RateLimitWindow, 'digest' | 'endsAt'>[];

/** Whether an attempt may be made. */
export type NetworkFailureCheck =
  | { waitSeconds: number; counted: null }
  /** The attempt counts as a failure until `refund`. */
  | { waitSeconds: 0; counted: CountedWindows };

const UNLIMITED: NetworkFailureCheck = { waitSeconds: 0, counted: [] };

/**
 * Counts failures by network in the database, so that all processes share the windows. An IPv6
 * address counts for its /64, its /56 and its /48. With `RATE_LIMITS=off` nothing counts.
 */
@Injectable()
export class NetworkFailureLimiterService {
  private readonly isEnabled: boolean;

  constructor(settings: Settings) {
    this.isEnabled = settings.RATE_LIMITS === 'on';
  }

  /**
   * Counts an attempt as a failure, unless a window is full. Attempts count before their result is
   * known, so parallel attempts count one by one.
   * @param address IP address of the client
   */
  async count(tx: EntityManager, policy: NetworkFailurePolicy, address: string): Promise<NetworkFailureCheck> {
    if (!this.isEnabled) return UNLIMITED;
    const now = Date.now();
    const windows: RateLimitWindow[] = [];
    let waitSeconds = 0;
    // The largest network first: every transaction locks the rows in this order.
    for (const { size, prefix } of listNetworkAggregates(address)) {
      const window = await lockWindow(tx, computeDigest(`${policy.name} ${prefix}`), policy.windowSeconds, now);
      windows.push(window);
      const isFull = window.count >= policy.limits[size];
      if (isFull) waitSeconds = Math.max(waitSeconds, Math.ceil((window.endsAt.getTime() - now) / 1000));
    }
    if (waitSeconds > 0) return { waitSeconds, counted: null };
    for (const { digest, count, endsAt } of windows) {
      await tx.update(RateLimitWindow, { digest }, { count: count + 1, endsAt });
    }
    return { waitSeconds: 0, counted: windows };
  }

  /** Takes an attempt back that succeeded. The other failures of its networks stay. */
  async refund(tx: EntityManager, counted: CountedWindows): Promise<void> {
    for (const { digest, endsAt } of counted) await tx.decrement(RateLimitWindow, { digest, endsAt }, 'count', 1);
  }
}
