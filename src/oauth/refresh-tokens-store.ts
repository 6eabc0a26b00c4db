import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Settings } from '../config/settings.js';
import { Batch } from '../database/batch.js';
import { forEachGiven, givenRows, query } from '../database/query.js';
import { type Committed, Transactions } from '../database/transactions.js';
import { Metrics } from '../metrics/metrics.js';
import type { Scope } from '../scopes/catalogue.js';
import { RefreshToken } from './refresh-token.entity.js';
import { SealedAnswer } from './sealed-answer.entity.js';

/** A refresh token as it stands: with what its authorization and its person's account say. */
export interface StoredToken {
  digest: string;
  successorDigest: string | null;
  issuedAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  authorizationId: string;
  accountId: string;
  appId: string;
  scopes: Scope[];
  revokedAt: Date | null;
  blockedAt: Date | null;
}

/** A token that is issued, by its digest. */
export interface NewToken {
  digest: string;
  authorizationId: string;
}

/** That one token takes the place of another, in a chain; both by their digests. */
export interface Rotation {
  spent: string;
  successor: string;
  /** The answer, where it is kept. */
  sealed?: SealedAnswer | undefined;
}

/** A stored token, by the digest that is given. */
const STORED = {
  select: `token.digest, token.successor_digest AS "successorDigest", token.issued_at AS "issuedAt",
    token.expires_at AS "expiresAt", token.used_at AS "usedAt", chain.id AS "authorizationId",
    chain.account_id AS "accountId", chain.app_id AS "appId", chain.scopes, chain.revoked_at AS "revokedAt",
    person.blocked_at AS "blockedAt"`,
  from: `refresh_tokens token
    JOIN authorizations chain ON chain.id = token.authorization_id
    JOIN accounts person ON person.id = chain.account_id`,
  where: 'token.digest = given.digest',
};

/** The token that is to be spent, held. */
const HELD = {
  select: 'token.digest, given.successor',
  from: 'refresh_tokens token',
  where: 'token.digest = given.spent',
  hold: true,
};

/**
 * Where refresh tokens are kept. What requests ask of it at the same time is read by one statement, and written by one
 * transaction (group commit): this is the busiest place of the service.
 */
@Injectable()
export class RefreshTokensStore {
  private readonly lookUps = new Batch(
    (digests: string[]) => this.readAll(this.tokens.manager, digests),
    (size) => this.metrics.batchSizes.observe({ batch: 'refresh_token_look_ups' }, size),
  );
  private readonly rotations = new Batch(
    (rotations: Rotation[]) => this.rotateAll(rotations),
    (size) => this.metrics.batchSizes.observe({ batch: 'refreshes' }, size),
  );

  constructor(
    @InjectRepository(RefreshToken) private readonly tokens: Repository<RefreshToken>,
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
  ) {}

  find(digest: string): Promise<StoredToken | undefined> {
    return this.lookUps.add(digest);
  }

  /** As `find`, within a transaction. */
  async read(tx: EntityManager, digest: string): Promise<StoredToken | undefined> {
    return (await this.readAll(tx, [digest]))[0];
  }

  /** Spends a token and stores its successor, or does neither. @returns whether it was valid until now, and so is spent */
  rotate(rotation: Rotation): Promise<Committed<boolean>> {
    return this.rotations.add(rotation);
  }

  insert(tx: EntityManager, token: NewToken): Promise<void> {
    return this.insertAll(tx, [token], Date.now());
  }

  private async readAll(manager: EntityManager, digests: string[]): Promise<(StoredToken | undefined)[]> {
    const rows = await query<StoredRow>(manager, forEachGiven(manager, ['digest'], STORED), {
      given: JSON.stringify(digests.map((digest) => ({ digest }))),
    });
    const found = new Map(rows.map((row) => [row.digest, storedToken(row)]));
    return digests.map((digest) => found.get(digest));
  }

  private async rotateAll(rotations: Rotation[]): Promise<Committed<boolean>[]> {
    const { result: issued, kept } = await this.transactions.commit(async (tx) => {
      const now = Date.now();
      const successors = await this.spend(tx, rotations, now);
      await this.insertAll(tx, successors, now);
      const issued = new Set(successors.map(({ digest }) => digest));
      const sealed = rotations.flatMap((rotation) => (issued.has(rotation.successor) ? (rotation.sealed ?? []) : []));
      if (sealed.length > 0) await tx.insert(SealedAnswer, sealed);
      return issued;
    });
    return rotations.map(({ successor }) => ({ result: issued.has(successor), kept }));
  }

  /**
   * The write that decides. It holds every condition itself, for each may have changed since the token was looked up. Where a
   * token is there twice, it is spent for one of its successors. All processes hold rows in the order of their digests, so
   * that none waits for another in a ring.
   * @returns the successors of those that are spent now
   */
  private spend(tx: EntityManager, rotations: Rotation[], now: number): Promise<NewToken[]> {
    const inOrder = rotations
      .map(({ spent, successor }) => ({ spent, successor }))
      .sort((one, other) => (one.spent < other.spent ? -1 : 1));
    return query(
      tx,
      `WITH held AS (${forEachGiven(tx, ['spent', 'successor'], HELD)})
       UPDATE refresh_tokens SET used_at = CAST(:now AS bigint), successor_digest = held.successor
       FROM held
       WHERE refresh_tokens.digest = held.digest AND used_at IS NULL AND expires_at > CAST(:now AS bigint) AND (
         SELECT chain.revoked_at IS NULL AND person.blocked_at IS NULL
         FROM authorizations chain JOIN accounts person ON person.id = chain.account_id
         WHERE chain.id = refresh_tokens.authorization_id
       )
       RETURNING successor_digest AS digest, authorization_id AS "authorizationId"`,
      { given: JSON.stringify(inOrder), now: String(now) },
    );
  }

  private async insertAll(tx: EntityManager, tokens: NewToken[], now: number): Promise<void> {
    const expiresAt = now + this.settings.REFRESH_TOKEN_LIFETIME * 1000;
    await query(
      tx,
      `INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at)
       SELECT digest, "authorizationId", CAST(:now AS bigint), CAST(:expiresAt AS bigint)
       FROM ${givenRows(tx, 'digest', 'authorizationId')}`,
      { given: JSON.stringify(tokens), now: String(now), expiresAt: String(expiresAt) },
    );
  }
}

/** A row as both drivers give it: PostgreSQL's gives large numbers as texts. */
type StoredRow = { [Name in keyof StoredToken]: StoredToken[Name] extends Date | null ? string | null : string };

function storedToken(row: StoredRow): StoredToken {
  const moment = (value: string | null): Date | null => (value === null ? null : new Date(Number(value)));
  return {
    ...row,
    scopes: JSON.parse(row.scopes) as Scope[],
    issuedAt: new Date(Number(row.issuedAt)),
    expiresAt: new Date(Number(row.expiresAt)),
    usedAt: moment(row.usedAt),
    revokedAt: moment(row.revokedAt),
    blockedAt: moment(row.blockedAt),
  };
}
