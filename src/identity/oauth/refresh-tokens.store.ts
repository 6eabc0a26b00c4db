import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { buildLateralJoinSql, buildRecordsetSql, query } from '../../platform/database/query.js';
import type { Scope } from '../scopes/scopes.js';
import type { IdempotentResponse } from './idempotent-response.entity.js';
import { RefreshToken } from './refresh-token.entity.js';

/** A refresh token with the state of its authorization and account. */
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

/** A token to be stored. */
export interface NewRefreshToken {
  digest: string;
  authorizationId: string;
}

/** The replacement of a token by its successor. */
export interface RefreshTokenRotation {
  digest: string;
  successorDigest: string;
  /** The response, if the client sent an `Idempotency-Key`. */
  idempotentResponse?: IdempotentResponse | undefined;
}

const SELECT_BY_DIGEST = {
  select: `token.digest, token.successor_digest AS "successorDigest", token.issued_at AS "issuedAt",
    token.expires_at AS "expiresAt", token.used_at AS "usedAt", auth.id AS "authorizationId",
    auth.account_id AS "accountId", auth.app_id AS "appId", auth.scopes,
    auth.revoked_at AS "revokedAt", account.blocked_at AS "blockedAt"`,
  from: `refresh_tokens token
    JOIN authorizations auth ON auth.id = token.authorization_id
    JOIN accounts account ON account.id = auth.account_id`,
  where: 'token.digest = input.digest',
};

const SELECT_FOR_UPDATE = {
  select: 'token.digest, input.successor',
  from: 'refresh_tokens token',
  where: 'token.digest = input.digest',
  lock: true,
};

/** The statements on refresh tokens. Each reads or writes a whole batch. */
@Injectable()
export class RefreshTokensStore {
  constructor(
    @InjectRepository(RefreshToken) private readonly repository: Repository<RefreshToken>,
    private readonly settings: Settings,
  ) {}

  /** Returns the stored token of each digest, in the same order. */
  async findMany(
    digests: string[],
    manager: EntityManager = this.repository.manager,
  ): Promise<(StoredRefreshToken | undefined)[]> {
    const rows = await query<RefreshTokenRow>(manager, buildLateralJoinSql(manager, ['digest'], SELECT_BY_DIGEST), {
      input: JSON.stringify(digests.map((digest) => ({ digest }))),
    });
    const tokens = new Map(rows.map((row) => [row.digest, toStoredRefreshToken(row)]));
    return digests.map((digest) => tokens.get(digest));
  }

  /**
   * Marks all valid tokens of a batch as used. The update checks every condition again, because
   * each may have changed since the lookup. A token that is in the batch twice gets one successor.
   * All processes lock rows in the order of their digests, so that they cannot deadlock.
   * @returns the successors of the tokens that were valid
   */
  markUsed(tx: EntityManager, rotations: RefreshTokenRotation[], now: number): Promise<NewRefreshToken[]> {
    const ordered = rotations
      .map(({ digest, successorDigest }) => ({ digest, successor: successorDigest }))
      .sort((one, other) => (one.digest < other.digest ? -1 : 1));
    return query(
      tx,
      `WITH locked AS (${buildLateralJoinSql(tx, ['digest', 'successor'], SELECT_FOR_UPDATE)})
       UPDATE refresh_tokens SET used_at = CAST(:now AS bigint), successor_digest = locked.successor
       FROM locked
       WHERE refresh_tokens.digest = locked.digest AND used_at IS NULL AND expires_at > CAST(:now AS bigint) AND (
         SELECT auth.revoked_at IS NULL AND account.blocked_at IS NULL
         FROM authorizations auth JOIN accounts account ON account.id = auth.account_id
         WHERE auth.id = refresh_tokens.authorization_id
       )
       RETURNING successor_digest AS digest, authorization_id AS "authorizationId"`,
      { input: JSON.stringify(ordered), now: String(now) },
    );
  }

  /** Inserts tokens that start now. */
  async insertMany(tx: EntityManager, tokens: NewRefreshToken[], now = Date.now()): Promise<void> {
    const expiresAt = now + this.settings.REFRESH_TOKEN_LIFETIME * 1000;
    await query(
      tx,
      `INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at)
       SELECT digest, "authorizationId", CAST(:now AS bigint), CAST(:expiresAt AS bigint)
       FROM ${buildRecordsetSql(tx, 'digest', 'authorizationId')}`,
      { input: JSON.stringify(tokens), now: String(now), expiresAt: String(expiresAt) },
    );
  }
}

/** A row of either driver: PostgreSQL returns bigint columns as strings. */
type RefreshTokenRow = {
  [Name in keyof StoredRefreshToken]: StoredRefreshToken[Name] extends Date | null ? string | null : string;
};

function toStoredRefreshToken(row: RefreshTokenRow): StoredRefreshToken {
  return {
    ...row,
    scopes: JSON.parse(row.scopes) as Scope[],
    issuedAt: new Date(Number(row.issuedAt)),
    expiresAt: new Date(Number(row.expiresAt)),
    usedAt: toDate(row.usedAt),
    revokedAt: toDate(row.revokedAt),
    blockedAt: toDate(row.blockedAt),
  };
}

function toDate(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(Number(timestamp));
}
