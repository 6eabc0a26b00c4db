import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { BatchLoader } from '../../platform/database/batch-loader.js';
import { buildLateralJoinSql, buildRecordsetSql, query } from '../../platform/database/query.js';
import { type Committed, TransactionService } from '../../platform/database/transaction.service.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { Scope } from '../scopes/scopes.js';
import { RefreshToken } from './refresh-token.entity.js';
import { IdempotentResponse } from './idempotent-response.entity.js';

/** A refresh token as it stands: with what its authorization and its person's account say. */
export interface StoredRefreshToken {
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
export interface NewRefreshToken {
  digest: string;
  authorizationId: string;
}

/** That one token takes the place of another, in a chain; both by their digests. */
export interface RefreshTokenRotation {
  digest: string;
  successorDigest: string;
  /** The answer, where it is kept. */
  idempotentResponse?: IdempotentResponse | undefined;
}

/** A stored token, by the digest that is given. */
const SELECT_BY_DIGEST = {
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
const SELECT_FOR_UPDATE = {
  select: 'token.digest, given.successor',
  from: 'refresh_tokens token',
  where: 'token.digest = given.spent',
  lock: true,
};

/**
 * Where refresh tokens are kept. What requests ask of it at the same time is read by one statement, and written by one
 * transaction (group commit): this is the busiest place of the service.
 */
@Injectable()
export class RefreshTokensStore {
  private readonly lookupBatch = new BatchLoader(
    (digests: string[]) => this.findByDigests(this.repository.manager, digests),
    (size) => this.metrics.batchSizes.observe({ batch: 'refresh_token_look_ups' }, size),
  );
  private readonly rotationBatch = new BatchLoader(
    (rotations: RefreshTokenRotation[]) => this.rotateAll(rotations),
    (size) => this.metrics.batchSizes.observe({ batch: 'refreshes' }, size),
  );

  constructor(
    @InjectRepository(RefreshToken) private readonly repository: Repository<RefreshToken>,
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
    private readonly settings: Settings,
  ) {}

  find(digest: string): Promise<StoredRefreshToken | undefined> {
    return this.lookupBatch.enqueue(digest);
  }

  /** As `find`, within a transaction. */
  async findInTransaction(tx: EntityManager, digest: string): Promise<StoredRefreshToken | undefined> {
    return (await this.findByDigests(tx, [digest]))[0];
  }

  /** Spends a token and stores its successor, or does neither. @returns whether it was valid until now, and so is spent */
  rotate(rotation: RefreshTokenRotation): Promise<Committed<boolean>> {
    return this.rotationBatch.enqueue(rotation);
  }

  insert(tx: EntityManager, token: NewRefreshToken): Promise<void> {
    return this.insertAll(tx, [token], Date.now());
  }

  private async findByDigests(manager: EntityManager, digests: string[]): Promise<(StoredRefreshToken | undefined)[]> {
    const rows = await query<RefreshTokenRow>(manager, buildLateralJoinSql(manager, ['digest'], SELECT_BY_DIGEST), {
      given: JSON.stringify(digests.map((digest) => ({ digest }))),
    });
    const found = new Map(rows.map((row) => [row.digest, toStoredRefreshToken(row)]));
    return digests.map((digest) => found.get(digest));
  }

  private async rotateAll(rotations: RefreshTokenRotation[]): Promise<Committed<boolean>[]> {
    const { result: issued, durable } = await this.transactions.commit(async (tx) => {
      const now = Date.now();
      const successors = await this.markUsed(tx, rotations, now);
      await this.insertAll(tx, successors, now);
      const issued = new Set(successors.map(({ digest }) => digest));
      const sealed = rotations.flatMap((rotation) =>
        issued.has(rotation.successorDigest) ? (rotation.idempotentResponse ?? []) : [],
      );
      if (sealed.length > 0) await tx.insert(IdempotentResponse, sealed);
      return issued;
    });
    return rotations.map(({ successorDigest }) => ({ result: issued.has(successorDigest), durable }));
  }

  /**
   * The write that decides. It holds every condition itself, for each may have changed since the token was looked up. Where a
   * token is there twice, it is spent for one of its successors. All processes hold rows in the order of their digests, so
   * that none waits for another in a ring.
   * @returns the successors of those that are spent now
   */
  private markUsed(tx: EntityManager, rotations: RefreshTokenRotation[], now: number): Promise<NewRefreshToken[]> {
    const inOrder = rotations
      .map(({ digest, successorDigest }) => ({ spent: digest, successor: successorDigest }))
      .sort((one, other) => (one.spent < other.spent ? -1 : 1));
    return query(
      tx,
      `WITH held AS (${buildLateralJoinSql(tx, ['spent', 'successor'], SELECT_FOR_UPDATE)})
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

  private async insertAll(tx: EntityManager, tokens: NewRefreshToken[], now: number): Promise<void> {
    const expiresAt = now + this.settings.REFRESH_TOKEN_LIFETIME * 1000;
    await query(
      tx,
      `INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at)
       SELECT digest, "authorizationId", CAST(:now AS bigint), CAST(:expiresAt AS bigint)
       FROM ${buildRecordsetSql(tx, 'digest', 'authorizationId')}`,
      { given: JSON.stringify(tokens), now: String(now), expiresAt: String(expiresAt) },
    );
  }
}

/** A row as both drivers give it: PostgreSQL's gives large numbers as texts. */
type RefreshTokenRow = {
  [Name in keyof StoredRefreshToken]: StoredRefreshToken[Name] extends Date | null ? string | null : string;
};

function toStoredRefreshToken(row: RefreshTokenRow): StoredRefreshToken {
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
