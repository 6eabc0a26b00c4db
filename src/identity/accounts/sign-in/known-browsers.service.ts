import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SetCookie } from 'cookie';
import { type EntityManager, In, Not, type Repository } from 'typeorm';
import { computeDigest, generateSecret, isWellFormedSecret } from '../../../platform/crypto/opaque-secret.js';
import { getCurrentRequest } from '../../../platform/logging/request-context.js';
import { KnownBrowser } from './known-browser.entity.js';
import { SessionCookiesService } from '../sessions/session-cookies.service.js';

const BROWSER_COOKIE_NAME = 'browser';

/** Time for which a browser is recognized after the last sign-in: a year. */
export const KNOWN_BROWSER_RETENTION_MS = 365 * 24 * 3600_000;

/** Known browsers of an account. */
const MAX_KNOWN_BROWSERS = 50;

/** The account id of an unknown name. Its lookups cost the same as those of an account. */
const NO_ACCOUNT = '-';

/** The result of `remember`. */
export interface RememberedBrowser {
  /** The cookie by which the browser is recognized. */
  cookie: SetCookie;
  /** Whether the account has known browsers, and this browser is none of them. */
  isNewBrowser: boolean;
}

/**
 * Stores the browsers in which people signed in. A browser has a random secret in a cookie, and the
 * database its digest, so the cookie tells nothing about `MASTER_SECRET`.
 */
@Injectable()
export class KnownBrowsersService {
  constructor(
    @InjectRepository(KnownBrowser) private readonly browsers: Repository<KnownBrowser>,
    private readonly cookies: SessionCookiesService,
  ) {}

  /**
   * Recognizes the browser of the current request.
   * @param accountId null for an unknown name
   * @returns its digest; undefined if the account did not sign in with it
   */
  async recognize(accountId: string | null): Promise<string | undefined> {
    const owner = accountId ?? NO_ACCOUNT;
    const secret = this.readSecret();
    const digest = secret === undefined ? undefined : computeBrowserDigest(secret, owner);
    const isKnownBrowser = digest !== undefined && (await this.browsers.existsBy({ digest }));
    return isKnownBrowser ? digest : undefined;
  }

  /** Stores the browser of the current request after a sign-in. The caller locked the account. */
  async remember(tx: EntityManager, accountId: string): Promise<RememberedBrowser> {
    const secret = this.readSecret() ?? generateSecret('sam_browser');
    const digest = computeBrowserDigest(secret, accountId);
    const lastUsedAt = new Date();
    const isNewBrowser =
      (await tx.existsBy(KnownBrowser, { accountId })) && !(await tx.existsBy(KnownBrowser, { digest }));
    const browser = { digest, accountId, createdAt: lastUsedAt, lastUsedAt };
    await tx
      .createQueryBuilder()
      .insert()
      .into(KnownBrowser)
      .values(browser)
      .orUpdate(['last_used_at'], ['digest'])
      .execute();
    await deleteOldest(tx, browser);
    return { cookie: this.cookies.build(BROWSER_COOKIE_NAME, secret, KNOWN_BROWSER_RETENTION_MS / 1000), isNewBrowser };
  }

  list(accountId: string): Promise<KnownBrowser[]> {
    return this.browsers.find({ where: { accountId }, order: { createdAt: 'ASC' } });
  }

  /** Deletes the browsers of an account. */
  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(KnownBrowser, { accountId });
  }

  private readSecret(): string | undefined {
    const request = getCurrentRequest();
    const secret = request && this.cookies.read(request, BROWSER_COOKIE_NAME);
    return secret !== undefined && isWellFormedSecret('sam_browser', secret) ? secret : undefined;
  }
}

/** Includes the account, so that the rows do not show which accounts share a browser. */
function computeBrowserDigest(secret: string, accountId: string): string {
  return computeDigest(`${secret} ${accountId}`);
}

/** Deletes the browsers of an account above the limit, except the current one. */
async function deleteOldest(
  tx: EntityManager,
  { digest, accountId }: Pick<KnownBrowser, 'digest' | 'accountId'>,
): Promise<void> {
  const others = await tx.find(KnownBrowser, {
    where: { accountId, digest: Not(digest) },
    order: { lastUsedAt: 'DESC', digest: 'ASC' },
  });
  const surplus = others.slice(MAX_KNOWN_BROWSERS - 1).map((browser) => browser.digest);
  if (surplus.length > 0) await tx.delete(KnownBrowser, { digest: In(surplus) });
}
