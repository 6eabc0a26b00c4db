import type { CommandParser } from '@redis/client';
import type { AttemptResult, FixedWindow } from './rate-limit-policy.js';

/** Milliseconds for a new connection: TCP, TLS, authentication and the first command. */
export const CONNECT_TIMEOUT_MS = 2000;

/** A window in Redis. */
export interface RedisWindow {
  key: string;
  limit: number;
  windowSeconds: number;
}

/**
 * Counts an attempt in all windows, or in none of them if one is full. Returns whether it counted,
 * and the count and the remaining milliseconds of each window.
 */
const INCREMENT_SCRIPT = `
local reply = {1}
for i, key in ipairs(KEYS) do
  reply[2 * i] = tonumber(redis.call('GET', key) or 0)
  if reply[2 * i] >= tonumber(ARGV[2 * i - 1]) then reply[1] = 0 end
end
for i, key in ipairs(KEYS) do
  if reply[1] == 1 then
    redis.call('SET', key, 0, 'PX', ARGV[2 * i], 'NX')
    reply[2 * i] = redis.call('INCR', key)
  end
  reply[2 * i + 1] = redis.call('PTTL', key)
end
return reply`;

/** Takes one attempt back from all windows that have one. */
const DECREMENT_SCRIPT = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) > 0 then redis.call('DECR', key) end
end
return 0`;

/** A client with the two scripts. */
export interface RedisClient {
  connect(): Promise<unknown>;
  /** Closes the connection. Pending commands fail. */
  destroy(): void;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  incrementWindows(windows: RedisWindow[]): Promise<AttemptResult>;
  decrementWindows(keys: string[]): Promise<number>;
}

/**
 * Creates a client that is not connected, and does not connect again after an error. Loads the
 * library, which a service without Redis does not need.
 * @param url `REDIS_URL`
 */
export async function createRedisClient(url: string): Promise<RedisClient> {
  const { createClient, defineScript } = await import('@redis/client');
  return createClient({
    url,
    RESP: 2, // supported by all versions of Redis and Valkey
    // The library would create a timer and a signal for each command; the caller has its own.
    commandOptions: { timeout: undefined },
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
    scripts: {
      incrementWindows: defineScript({
        SCRIPT: INCREMENT_SCRIPT,
        parseCommand: (parser: CommandParser, windows: RedisWindow[]): void => {
          parser.pushKeysLength(windows.map(({ key }) => key));
          for (const { limit, windowSeconds } of windows) parser.push(String(limit), String(windowSeconds * 1000));
        },
        transformReply: parseIncrementReply,
      }),
      decrementWindows: defineScript({
        SCRIPT: DECREMENT_SCRIPT,
        parseCommand: (parser: CommandParser, keys: string[]): void => void parser.pushKeysLength(keys),
        transformReply: undefined as unknown as () => number,
      }),
    },
  });
}

function parseIncrementReply([isCounted, ...rest]: number[]): AttemptResult {
  const now = Date.now();
  const windows: FixedWindow[] = [];
  for (let index = 0; index < rest.length; index += 2)
    windows.push({ count: rest[index]!, endsAt: now + rest[index + 1]! });
  return { isCounted: isCounted === 1, windows };
}
