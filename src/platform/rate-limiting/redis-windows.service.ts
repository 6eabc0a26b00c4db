import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { EventLogger } from '../logging/event-logger.js';
import { MetricsService } from '../metrics/metrics.service.js';
import type { AttemptResult, Quota } from './rate-limit-policy.js';
import { CONNECT_TIMEOUT_MS, createRedisClient, type RedisClient } from './redis-client.js';

/** Milliseconds that a request waits for Redis. */
const COMMAND_TIMEOUT_MS = 250;

/** Milliseconds between two attempts to connect while Redis is unavailable. */
const RECONNECT_INTERVAL_MS = 5000;

/** The window that tells whether Redis accepts writes. */
const PROBE_WINDOW = { key: 'street-art-map:probe', limit: 1_000_000, windowSeconds: 60 };

/**
 * Counts attempts in Redis, if `REDIS_URL` is set, so that all processes share the windows. After
 * an error or a timeout, no request waits for Redis until a new connection has accepted a write.
 */
@Injectable()
export class RedisWindowsService implements OnApplicationShutdown {
  private readonly logger = new EventLogger('Redis');
  /** The connected client; undefined while Redis is not in use. */
  private client: RedisClient | undefined;
  private isLossLogged = false;
  private isClosed = false;
  private reconnectTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly metrics: MetricsService,
  ) {}

  /** Makes the first attempt to connect. Without Redis, the service starts too. */
  async start(): Promise<void> {
    const { REDIS_URL } = this.settings;
    if (REDIS_URL === undefined) return;
    this.metrics.registerGauge(
      {
        name: 'street_art_redis_up',
        help: 'Whether the rate limits are counted in Redis (1) or not (0).',
      },
      (gauge) => gauge.set(this.client ? 1 : 0),
    );
    await this.connect(REDIS_URL);
  }

  /** Counts an attempt, in one round trip. @returns undefined if Redis is not in use */
  increment(quotas: Quota[]): Promise<AttemptResult | undefined> {
    return this.run((client) =>
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
    return (await this.run((client) => client.decrementWindows(keys))) !== undefined;
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.reconnectTimer);
    this.client?.destroy();
    this.client = undefined;
  }

  /**
   * Runs a command.
   * @returns undefined if Redis is not in use, or failed, or did not respond in time
   */
  private async run<T>(command: (client: RedisClient) => Promise<T>): Promise<T | undefined> {
    const { client } = this;
    if (!client) return undefined;
    try {
      return await rejectLate(command(client), COMMAND_TIMEOUT_MS);
    } catch (error) {
      this.discard(client, error);
      return undefined;
    }
  }

  private async connect(url: string): Promise<void> {
    const client = await createRedisClient(url);
    client.on('error', (error: unknown) => this.discard(client, error));
    try {
      await rejectLate(connectAndWrite(client), CONNECT_TIMEOUT_MS);
      if (this.isClosed) return client.destroy();
      this.client = client;
      if (this.isLossLogged) this.logger.log('redis_available', 'Redis responds again; it counts the rate limits.');
      this.isLossLogged = false;
    } catch (error) {
      client.destroy();
      this.handleLoss(error);
    }
  }

  /** Ends the use of a client that failed. Its other commands fail at once. */
  private discard(client: RedisClient, error: unknown): void {
    if (this.client !== client) return;
    this.client = undefined;
    client.destroy();
    this.handleLoss(error);
  }

  private handleLoss(error: unknown): void {
    if (this.isClosed) return;
    if (!this.isLossLogged) {
      const message = 'Redis is unavailable; the rate limits are counted in the database and in each process.';
      this.logger.log('redis_unavailable', message, { error });
    }
    this.isLossLogged = true;
    this.reconnectTimer = setTimeout(() => void this.connect(this.settings.REDIS_URL!), RECONNECT_INTERVAL_MS).unref();
  }
}

function buildKey(policyName: string, key: string): string {
  return `street-art-map:${policyName}:${key}`;
}

async function connectAndWrite(client: RedisClient): Promise<void> {
  await client.connect();
  await client.incrementWindows([PROBE_WINDOW]);
}

/** Returns the result, or rejects if it takes too long. */
async function rejectLate<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const expire = (): void => reject(new Error(`Redis did not respond within ${timeoutMs} ms.`));
    // If this process was busy until now, the response may have arrived: read it first.
    timer = setTimeout(() => setImmediate(expire), timeoutMs);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}
