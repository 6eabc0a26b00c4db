import type { EntityManager } from 'typeorm';
import { RateLimitWindow } from './rate-limit-window.entity.js';

/**
 * Returns the window of a digest, a new one if it ended, and locks its row until the transaction
 * ends. The caller stores the new count. All transactions must lock windows in the same order.
 * @param now milliseconds since 1970
 */
export async function lockWindow(
  tx: EntityManager,
  digest: string,
  windowSeconds: number,
  now: number,
): Promise<RateLimitWindow> {
  const newWindow = { digest, count: 0, endsAt: new Date(now + windowSeconds * 1000) };
  await tx
    .createQueryBuilder()
    .insert()
    .into(RateLimitWindow)
    .values(newWindow)
    .orUpdate(['digest'], ['digest'])
    .execute();
  const window = await tx.findOneByOrFail(RateLimitWindow, { digest });
  return window.endsAt.getTime() > now ? window : newWindow;
}
