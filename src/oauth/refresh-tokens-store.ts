import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Batch } from '../database/batch.js';
import { givenRows, insertRows, query } from '../database/query.js';
import { Transactions } from '../database/transactions.js';
import type { Scope } from '../scopes/catalogue.js';
import { RefreshToken } from './refresh-token.entity.js';

/** A refresh token as it stands: with what its authorization and its person's account say. Moments are in milliseconds. */
export interface StoredToken {
  digest: string;
  successorDigest: string | null;
  issuedAt: number;
  expiresAt: number;
  usedAt: number | null;
  authorizationId: string;
  accountId: string;
  appId: string;
  scopes: Scope[];
  revokedAt: number | null;
  blockedAt: number | null;
}

/** That one token takes the place of another, in a chain. */
export interface Rotation {
  digest: string;
  successor: string;
  authorizationId: string;
  /** When the successor is issued and when it runs out, in milliseconds. */
  issuedAt: number;
  expiresAt: number;
}

const COLUMNS = ['digest', 'authorization_id', 'issued_at', 'expires_at'];

/**
 * Where refresh tokens are kept. What requests ask of it at the same time is read by one statement, and written by one
 * transaction (group commit): this is the busiest place of the service.
 */
@Injectable()
export class RefreshTokensStore {
  private readonly lookUps = new Batch((digests: string[]) => this.readAll(this.tokens.manager, digests));
  private readonly rotations = new Batch((rotations: Rotation[]) => this.rotateAll(rotations));

  constructor(
    @InjectRepository(RefreshToken) private readonly tokens: Repository<RefreshToken>,
    private readonly transactions: Transactions,
  ) {}

  find(digest: string): Promise<StoredToken | undefined> {
    return this.lookUps.add(digest);
  }

  /** As `find`, within a transaction. */
  async read(tx: EntityManager, digest: string): Promise<StoredToken | undefined> {
    return (await this.readAll(tx, [digest]))[0];
  }

  /** Spends a token and stores its successor, or does neither. @returns whether it was valid until now, and so is spent */
  rotate(rotation: Rotation): Promise<boolean> {
    return this.rotations.add(rotation);
  }

  async insert(tx: EntityManager, { authorizationId, ...token }: Omit<Rotation, 'digest'>): Promise<void> {
    await insertTokens(tx, [[token.successor, authorizationId, token.issuedAt, token.expiresAt]]);
  }

  private async readAll(manager: EntityManager, digests: string[]): Promise<(StoredToken | undefined)[]> {
    const rows = await query<StoredRow>(
      manager,
      `SELECT token.digest, token.successor_digest AS "successorDigest", token.issued_at AS "issuedAt",
         token.expires_at AS "expiresAt", token.used_at AS "usedAt", chain.id AS "authorizationId", chain.account_id AS "accountId",
         chain.app_id AS "appId", chain.scopes, chain.revoked_at AS "revokedAt", person.blocked_at AS "blockedAt"
       FROM ${givenRows(manager, 'digest')}
       JOIN refresh_tokens token ON token.digest = given.digest
       JOIN authorizations chain ON chain.id = token.authorization_id
       JOIN accounts person ON person.id = chain.account_id`,
      { given: JSON.stringify(digests.map((digest) => ({ digest }))) },
    );
    const found = new Map(rows.map((row) => [row.digest, storedToken(row)]));
    return digests.map((digest) => found.get(digest));
  }

  private rotateAll(rotations: Rotation[]): Promise<boolean[]> {
    return this.transactions.run(async (tx) => {
      const spent = new Set(await this.spend(tx, rotations));
      const rows = rotations
        .filter(({ successor }) => spent.has(successor))
        .map(({ successor, authorizationId, issuedAt, expiresAt }) => [
          successor,
          authorizationId,
          issuedAt,
          expiresAt,
        ]);
      await insertTokens(tx, rows);
      return rotations.map(({ successor }) => spent.has(successor));
    });
  }

  /**
   * The write that decides. It holds every condition itself, for each may have changed since the token was looked up. Where a
   * token is there twice, it is spent for one of its successors. All processes hold rows in the order of their digests, so
   * that none waits for another in a ring.
   * @returns the successors of those that are spent now
   */
  private async spend(tx: EntityManager, rotations: Rotation[]): Promise<string[]> {
    const hold = tx.connection.options.type === 'postgres' ? 'FOR NO KEY UPDATE OF token' : '';
    const rows = await query<{ successor: string }>(
      tx,
      `WITH valid AS (
         SELECT token.digest, given.successor FROM ${givenRows(tx, 'digest', 'successor')}
         JOIN refresh_tokens token ON token.digest = given.digest
         JOIN authorizations chain ON chain.id = token.authorization_id
         JOIN accounts person ON person.id = chain.account_id
         WHERE token.used_at IS NULL AND token.expires_at > :now AND chain.revoked_at IS NULL AND person.blocked_at IS NULL
         ORDER BY token.digest ${hold}
       )
       UPDATE refresh_tokens SET used_at = :now, successor_digest = valid.successor
       FROM valid WHERE refresh_tokens.digest = valid.digest
       RETURNING successor_digest AS successor`,
      { now: Date.now(), given: JSON.stringify(rotations.map(({ digest, successor }) => ({ digest, successor }))) },
    );
    return rows.map(({ successor }) => successor);
  }
}

/** A row as both drivers give it: PostgreSQL's gives large numbers as texts. */
type StoredRow = { [Name in keyof StoredToken]: StoredToken[Name] extends number | null ? string | null : string };

function storedToken(row: StoredRow): StoredToken {
  const moment = (value: string | null): number | null => (value === null ? null : Number(value));
  return {
    ...row,
    scopes: JSON.parse(row.scopes) as Scope[],
    issuedAt: Number(row.issuedAt),
    expiresAt: Number(row.expiresAt),
    usedAt: moment(row.usedAt),
    revokedAt: moment(row.revokedAt),
    blockedAt: moment(row.blockedAt),
  };
}

async function insertTokens(tx: EntityManager, rows: unknown[][]): Promise<void> {
  await insertRows(tx, { table: 'refresh_tokens', columns: COLUMNS }, rows);
}
