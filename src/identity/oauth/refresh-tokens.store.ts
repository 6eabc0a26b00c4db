import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import {
  buildBytesSql,
  buildIndexLookupSql,
  buildLateralJoinSql,
  buildRecordsetSql,
  query,
} from '../../platform/database/query.js';
import { ReservedConnections } from '../../platform/database/reserved-connections.js';
import type { Resource } from '../scopes/resources.js';
import type { Scope } from '../scopes/scopes.js';
import {
  getAllowedScopes,
  IS_ROTATABLE_SQL,
  JOIN_STATE_SQL,
  type StoredRefreshToken,
} from './refresh-token-validity.js';
import type { IdempotentResponse } from '../../platform/idempotency/idempotent-response.entity.js';

/** A token to be stored. */
interface NewRefreshToken {
  digest: string;
  authorizationId: string;
  /** When the authorization was created. */
  authorizedAt: Date;
}

/** The replacement of a token by its successor. */
export interface RefreshTokenRotation {
  /** The token as it was found. */
  token: StoredRefreshToken;
  successorDigest: string;
  /** The response, if the client sent an `Idempotency-Key`. */
  idempotentResponse?: IdempotentResponse | undefined;
}

const SELECT_BY_DIGEST = {
  select: `token.digest, token.successor_digest AS "successorDigest", token.issued_at AS "issuedAt",
    token.expires_at AS "expiresAt", token.used_at AS "usedAt", auth.id AS "authorizationId",
    auth.account_id AS "accountId", auth.app_id AS "appId", auth.scopes, auth.resources,
    auth.created_at AS "authorizedAt", auth.dpop_jkt AS "dpopJkt",
    auth.consented_at AS "consentedAt", app.scopes AS "registeredScopes", consent.scopes AS "consentedScopes",
    auth.revoked_at AS "revokedAt", account.blocked_at AS "blockedAt", account.blocked_until AS "blockedUntil"`,
  from: `refresh_tokens token JOIN authorizations auth ON auth.id = token.authorization_id ${JOIN_STATE_SQL}`,
};

/**
 * Locks tokens, and their authorizations as the foreign key of the successor does. It skips rows
 * that another transaction has locked, so that they do not delay the other tokens of a batch.
 */
const SELECT_FOR_UPDATE = {
  select:
    'token.digest, token.expires_at, input.successor, input."successorExpiresAt", input."registeredScopes", input."consentedScopes"',
  from: 'refresh_tokens token JOIN authorizations auth ON auth.id = token.authorization_id',
  lock: 'FOR NO KEY UPDATE OF token SKIP LOCKED FOR KEY SHARE OF auth SKIP LOCKED',
};

/**
 * Returns the statement of `rotateMany`. On PostgreSQL it also inserts the successors, so that a
 * batch needs one round trip. On SQLite, an update cannot be part of another statement.
 */
function buildRotationSql(tx: EntityManager): string {
  const columns = ['digest', 'expiresAt', 'successor', 'successorExpiresAt', 'registeredScopes', 'consentedScopes'];
  // The expiry selects the partition.
  const where = `token.digest = ${buildBytesSql(tx, 'input.digest')}
    AND token.expires_at = CAST(input."expiresAt" AS bigint)`;
  const found = `WITH found AS (${buildLateralJoinSql(tx, columns, { ...SELECT_FOR_UPDATE, where })})`;
  const update = `
    UPDATE refresh_tokens SET used_at = CAST(:now AS bigint), successor_digest = ${buildBytesSql(tx, 'found.successor')}
    FROM found
    WHERE ${buildIndexLookupSql(tx, 'refresh_tokens', ['digest', 'expires_at'], 'found')}
      AND refresh_tokens.digest = found.digest AND refresh_tokens.expires_at = found.expires_at
      AND ${IS_ROTATABLE_SQL}`;
  if (tx.connection.options.type !== 'postgres') return `${found} ${update} RETURNING successor_digest AS digest`;
  return `${found}, used AS (
      ${update} RETURNING refresh_tokens.successor_digest, refresh_tokens.authorization_id, found."successorExpiresAt"
    )
    INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at)
    SELECT successor_digest, authorization_id, CAST(:now AS bigint), CAST("successorExpiresAt" AS bigint) FROM used
    RETURNING digest`;
}

/** The statements on refresh tokens. Each reads or writes a whole batch. */
@Injectable()
export class RefreshTokensStore {
  constructor(
    private readonly reserved: ReservedConnections,
    private readonly settings: Settings,
  ) {}

  /** Returns the stored token of each digest, in the same order. */
  async findMany(
    digests: string[],
    manager: EntityManager = this.reserved.manager,
  ): Promise<(StoredRefreshToken | undefined)[]> {
    const where = `token.digest = ${buildBytesSql(manager, 'input.digest')}`;
    const sql = buildLateralJoinSql(manager, ['digest'], { ...SELECT_BY_DIGEST, where });
    const rows = await query<RefreshTokenRow>(manager, sql, {
      input: JSON.stringify(digests.map((digest) => ({ digest: toHex(digest) }))),
    });
    const tokens = new Map(rows.map((row) => [toBase64url(row.digest), this.toStoredRefreshToken(row)]));
    return digests.map((digest) => tokens.get(digest));
  }

  /**
   * Marks all valid tokens of a batch as used, and stores their successors, if their allowed scopes
   * have not changed. It skips a token that another transaction has locked. A token that is in the
   * batch twice gets one successor.
   * @returns the digests of the stored successors
   */
  async rotateMany(tx: EntityManager, rotations: RefreshTokenRotation[], now: number): Promise<Set<string>> {
    const { grantLifetimeMs } = this.settings;
    const input = rotations.map(({ token, successorDigest }) => ({
      digest: toHex(token.digest),
      expiresAt: String(token.expiresAt.getTime()),
      successor: toHex(successorDigest),
      successorExpiresAt: String(this.computeExpiry(token.authorizedAt, now)),
      registeredScopes: token.registeredScopes,
      consentedScopes: token.consentedScopes,
    }));
    const parameters = {
      input: JSON.stringify(input),
      now: String(now),
      authorizedAfter: String(grantLifetimeMs === undefined ? 0 : now - grantLifetimeMs),
    };
    const rotated = await query<{ digest: Buffer }>(tx, buildRotationSql(tx), parameters);
    const successors = new Set(rotated.map(({ digest }) => toBase64url(digest)));
    if (tx.connection.options.type === 'postgres') return successors;
    const stored = rotations.filter(({ successorDigest }) => successors.has(successorDigest));
    await this.insertMany(tx, stored.map(toSuccessor), now);
    return successors;
  }

  /** Inserts tokens that start now. None outlives its authorization. */
  async insertMany(tx: EntityManager, tokens: NewRefreshToken[], now = Date.now()): Promise<void> {
    const rows = tokens.map(({ digest, authorizationId, authorizedAt }) => ({
      digest: toHex(digest),
      authorizationId,
      expiresAt: this.computeExpiry(authorizedAt, now),
    }));
    await query(
      tx,
      `INSERT INTO refresh_tokens (digest, authorization_id, issued_at, expires_at)
       SELECT ${buildBytesSql(tx, 'digest')}, "authorizationId", CAST(:now AS bigint), CAST("expiresAt" AS bigint)
       FROM ${buildRecordsetSql(tx, 'digest', 'authorizationId', 'expiresAt')}`,
      { input: JSON.stringify(rows), now: String(now) },
    );
  }

  /** Locks a token until the end of the transaction. On SQLite no lock is needed. */
  async lock(tx: EntityManager, digest: string): Promise<void> {
    if (tx.connection.options.type !== 'postgres') return;
    const statement = 'SELECT digest FROM refresh_tokens WHERE digest = :digest FOR NO KEY UPDATE NOWAIT';
    await query(tx, statement, { digest: toBytes(digest) });
  }

  /**
   * Undoes a rotation whose successor no client has received. It does nothing if the rotation was
   * not committed.
   * @param used the digest of the token that was replaced
   * @throws QueryFailedError if a transaction has locked the token, and may commit the rotation
   */
  async undoRotation(tx: EntityManager, used: string, successor: string): Promise<void> {
    const [digest, successorDigest] = [toBytes(used), toBytes(successor)];
    await this.lock(tx, used);
    await query(
      tx,
      `UPDATE refresh_tokens SET used_at = NULL, successor_digest = NULL
       WHERE digest = :digest AND successor_digest = :successorDigest`,
      { digest, successorDigest },
    );
    await query(tx, 'DELETE FROM refresh_tokens WHERE digest = :successorDigest', { successorDigest });
  }

  private computeExpiry(authorizedAt: Date, now: number): number {
    const { REFRESH_TOKEN_LIFETIME, grantLifetimeMs = Infinity } = this.settings;
    return Math.min(now + REFRESH_TOKEN_LIFETIME * 1000, authorizedAt.getTime() + grantLifetimeMs);
  }

  private toStoredRefreshToken({ consentedAt, ...row }: RefreshTokenRow): StoredRefreshToken {
    const authorization = { scopes: JSON.parse(row.scopes) as Scope[], consentedAt: toDate(consentedAt) };
    const app = { scopes: JSON.parse(row.registeredScopes) as Scope[] };
    const consent = row.consentedScopes === null ? null : { scopes: JSON.parse(row.consentedScopes) as Scope[] };
    const { grantLifetimeMs } = this.settings;
    const authorizedAt = Number(row.authorizedAt);
    return {
      ...row,
      digest: toBase64url(row.digest),
      successorDigest: row.successorDigest && toBase64url(row.successorDigest),
      scopes: authorization.scopes,
      resources: JSON.parse(row.resources) as Resource[],
      allowedScopes: getAllowedScopes(authorization, app, consent),
      authorizedAt: new Date(authorizedAt),
      authorizationExpiresAt: grantLifetimeMs === undefined ? null : new Date(authorizedAt + grantLifetimeMs),
      issuedAt: new Date(Number(row.issuedAt)),
      expiresAt: new Date(Number(row.expiresAt)),
      usedAt: toDate(row.usedAt),
      revokedAt: toDate(row.revokedAt),
      blockedAt: toDate(row.blockedAt),
      blockedUntil: toDate(row.blockedUntil),
    };
  }
}

/** A row of either driver: PostgreSQL returns bigint columns as strings. */
interface RefreshTokenRow {
  digest: Buffer;
  successorDigest: Buffer | null;
  issuedAt: string;
  expiresAt: string;
  usedAt: string | null;
  authorizationId: string;
  accountId: string;
  appId: string;
  authorizedAt: string;
  dpopJkt: string | null;
  consentedAt: string | null;
  scopes: string;
  resources: string;
  registeredScopes: string;
  consentedScopes: string | null;
  revokedAt: string | null;
  blockedAt: string | null;
  blockedUntil: string | null;
}

function toSuccessor({
  token: { authorizationId, authorizedAt },
  successorDigest,
}: RefreshTokenRotation): NewRefreshToken {
  return { digest: successorDigest, authorizationId, authorizedAt };
}

function toDate(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(Number(timestamp));
}

function toBytes(digest: string): Buffer {
  return Buffer.from(digest, 'base64url');
}

function toHex(digest: string): string {
  return toBytes(digest).toString('hex');
}

function toBase64url(digest: Buffer): string {
  return digest.toString('base64url');
}
