import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SetCookie } from 'cookie';
import { type EntityManager, type EntityTarget, In, Not, type Repository } from 'typeorm';
import { computeDigest, generateSecret, isWellFormedSecret } from '../../../platform/crypto/opaque-secret.js';
import { getClientNetworkPrefix } from '../../../platform/http/client-address.js';
import { getCurrentRequest } from '../../../platform/logging/request-context.js';
import { KnownBrowser, KnownNetwork } from './known-device.entity.js';
import { SessionCookiesService } from '../sessions/session-cookies.service.js';

const BROWSER_COOKIE_NAME = 'browser';

/** Time for which a browser and a network are recognized after the last sign-in: a year. */
export const KNOWN_DEVICE_RETENTION_MS = 365 * 24 * 3600_000;

/** Known browsers of an account, and known networks. */
const MAX_KNOWN_DEVICES = 50;

/** The account id of an unknown name. Its lookups cost the same as those of an account. */
const NO_ACCOUNT = '-';

/** The source of the current request, as far as an account signed in from it before. */
export interface Source {
  /** Digest of the browser; undefined if the account did not sign in with it. */
  knownBrowser: string | undefined;
}

/** The result of `remember`. */
export interface RememberedBrowser {
  /** The cookie by which the browser is recognized. */
  cookie: SetCookie;
  /** Whether the account has known browsers, and this browser is none of them. */
  isNewBrowser: boolean;
}

/**
 * Stores the browsers and networks from which people signed in. A browser has a random secret in a
 * cookie, and the database its digest, so the cookie tells nothing about `MASTER_SECRET`.
 */
@Injectable()
export class KnownDevicesService {
  constructor(
    @InjectRepository(KnownBrowser) private readonly browsers: Repository<KnownBrowser>,
    @InjectRepository(KnownNetwork) private readonly networks: Repository<KnownNetwork>,
    private readonly cookies: SessionCookiesService,
  ) {}

  /** Recognizes the source of the current request. @param accountId null for an unknown name */
  async recognize(accountId: string | null): Promise<Source> {
    const owner = accountId ?? NO_ACCOUNT;
    const secret = this.readSecret();
    const digest = secret === undefined ? undefined : computeBrowserDigest(secret, owner);
    const isKnownBrowser = digest !== undefined && (await this.browsers.existsBy({ digest }));
    return { knownBrowser: isKnownBrowser ? digest : undefined };
  }

  /**
   * Stores the browser and the network of the current request after a sign-in. The caller has
   * locked the account.
   */
  async remember(tx: EntityManager, accountId: string): Promise<RememberedBrowser> {
    const secret = this.readSecret() ?? generateSecret('sam_browser');
    const digest = computeBrowserDigest(secret, accountId);
    const lastUsedAt = new Date();
    const isNewBrowser =
      (await tx.existsBy(KnownBrowser, { accountId })) && !(await tx.existsBy(KnownBrowser, { digest }));
    const network = { digest: computeNetworkDigest(accountId), accountId, lastUsedAt };
    await upsert(tx, KnownBrowser, { digest, accountId, createdAt: lastUsedAt, lastUsedAt });
    await upsert(tx, KnownNetwork, network);
    await deleteOldest(tx, KnownBrowser, { digest, accountId });
    await deleteOldest(tx, KnownNetwork, network);
    return { cookie: this.cookies.build(BROWSER_COOKIE_NAME, secret, KNOWN_DEVICE_RETENTION_MS / 1000), isNewBrowser };
  }

  async list(accountId: string): Promise<{ browsers: KnownBrowser[]; networks: KnownNetwork[] }> {
    const [browsers, networks] = await Promise.all([
      this.browsers.find({ where: { accountId }, order: { createdAt: 'ASC' } }),
      this.networks.find({ where: { accountId }, order: { lastUsedAt: 'ASC' } }),
    ]);
    return { browsers, networks };
  }

  /** Deletes the browsers and networks of an account. */
  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(KnownBrowser, { accountId });
    await tx.delete(KnownNetwork, { accountId });
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

function computeNetworkDigest(accountId: string): string {
  return computeDigest(`${accountId} ${getClientNetworkPrefix()}`);
}

async function upsert<Row extends KnownBrowser | KnownNetwork>(
  tx: EntityManager,
  entity: EntityTarget<Row>,
  row: Omit<Row, 'account'>,
): Promise<void> {
  await tx
    .createQueryBuilder()
    .insert()
    .into(entity)
    .values(row as never)
    .orUpdate(['last_used_at'], ['digest'])
    .execute();
}

/** Deletes the browsers or networks of an account above the limit, except the current one. */
async function deleteOldest(
  tx: EntityManager,
  entity: EntityTarget<KnownBrowser | KnownNetwork>,
  { digest, accountId }: Pick<KnownNetwork, 'digest' | 'accountId'>,
): Promise<void> {
  const others = await tx.find(entity, {
    where: { accountId, digest: Not(digest) },
    order: { lastUsedAt: 'DESC', digest: 'ASC' },
  });
  const surplus = others.slice(MAX_KNOWN_DEVICES - 1).map((device) => device.digest);
  if (surplus.length > 0) await tx.delete(entity, { digest: In(surplus) });
}
