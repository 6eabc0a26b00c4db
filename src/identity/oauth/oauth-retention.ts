import { type EntityManager, In, IsNull, LessThan, Raw } from 'typeorm';
import type { Settings } from '../../platform/config/settings.js';
import { query } from '../../platform/database/query.js';
import type { PartitionsService } from '../../platform/scheduling/partitions.service.js';
import type { RetentionService } from '../../platform/scheduling/retention.service.js';
import { App } from '../apps/app.entity.js';
import { FailedCall } from '../apps/failed-calls/failed-call.entity.js';
import { Authorization } from './authorization.entity.js';
import { AuthorizationCode } from './authorize/authorization-code.entity.js';
import { RefreshToken } from './refresh-token.entity.js';

/** Limit of partitions of valid and old tokens: each lookup reads the index of every partition. */
const MAX_PARTITIONS = 12;

const MONTH_MS = 30 * 24 * 3600_000;

/** Time for which an app without a consent stays after its metadata document expired: 7 days. */
const UNUSED_APP_RETENTION_MS = 7 * 24 * 3600_000;

/** Authorizations that one batch checks for tokens. */
const ORPHAN_BATCH_SIZE = 500;

/** Registers the partitions of refresh tokens. A month has one, unless tokens live for years. */
export function registerOAuthPartitions(
  partitions: PartitionsService,
  { REFRESH_TOKEN_LIFETIME, REFRESH_TOKEN_HISTORY }: Settings,
): void {
  const totalMs = (REFRESH_TOKEN_LIFETIME + REFRESH_TOKEN_HISTORY) * 1000;
  const months = Math.ceil(totalMs / MONTH_MS / MAX_PARTITIONS);
  partitions.register({ ...REFRESH_TOKENS, months, reachMs: REFRESH_TOKEN_LIFETIME * 1000 });
}

const REFRESH_TOKENS = { table: 'refresh_tokens', column: 'expires_at' };

/**
 * Registers the retention policies of the OAuth tables. For `REFRESH_TOKEN_HISTORY` after the
 * expiry of a code or token, the client gets the specific error, and a revocation or a reuse still
 * revokes the authorization. The policies delete no consent, and no authorization that has a token.
 * The code of such an authorization stays too, because its reuse revokes the authorization. Unused
 * codes are deleted before refresh tokens; the codes of authorizations without tokens are deleted
 * with the tokens. An app that a client ID metadata document described is deleted if no person
 * allowed it, with its failed calls; a disabled one stays, because it is not fetched again.
 */
export function registerOAuthRetention(retention: RetentionService, { REFRESH_TOKEN_HISTORY }: Settings): void {
  const retentionMs = REFRESH_TOKEN_HISTORY * 1000;
  retention.register({
    entity: AuthorizationCode,
    key: 'digest',
    where: (now) => ({ authorizationId: IsNull(), expiresAt: LessThan(new Date(now - retentionMs)) }),
    order: { expiresAt: 'ASC' },
  });
  retention.register({
    entity: RefreshToken,
    key: 'digest',
    where: (now) => ({ expiresAt: LessThan(new Date(now - retentionMs)) }),
    order: { expiresAt: 'ASC' },
    partitions: {
      ...REFRESH_TOKENS,
      retentionMs,
      deleteOrphans: (tx, after, now) => deleteOrphanedAuthorizations(tx, after, now - retentionMs),
    },
    afterDelete: (tx, deleted) => deleteEmptyAuthorizations(tx, [...new Set(deleted.map(getAuthorizationId))]),
  });
  retention.register({
    entity: App,
    key: 'id',
    where: (now) => ({
      metadataExpiresAt: LessThan(new Date(now - UNUSED_APP_RETENTION_MS)),
      disabledAt: IsNull(),
      id: Raw((id) => `NOT EXISTS (SELECT 1 FROM consents WHERE app_id = ${id})`),
    }),
    order: { metadataExpiresAt: 'ASC' },
    afterDelete: async (tx, apps) =>
      (await tx.delete(FailedCall, { appId: In(apps.map(({ id }) => id)) })).affected ?? 0,
  });
}

function getAuthorizationId({ authorizationId }: RefreshToken): string {
  return authorizationId;
}

/**
 * Checks a batch of authorizations, and deletes those that have no token left.
 * @param createdBefore a younger authorization has a token
 */
async function deleteOrphanedAuthorizations(
  tx: EntityManager,
  after: string,
  createdBefore: number,
): Promise<{ deleted: number; last: string | undefined }> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT id FROM authorizations WHERE id > :after AND created_at < CAST(:createdBefore AS bigint)
     ORDER BY id LIMIT ${ORPHAN_BATCH_SIZE}`,
    { after, createdBefore: String(createdBefore) },
  );
  const ids = rows.map(({ id }) => id);
  return { deleted: await deleteEmptyAuthorizations(tx, ids), last: ids.at(-1) };
}

/**
 * Deletes the authorizations that have no token left, and their codes.
 * @returns the number of deleted rows
 */
async function deleteEmptyAuthorizations(tx: EntityManager, ids: string[]): Promise<number> {
  const remaining = tx.createQueryBuilder(RefreshToken, 'token').select('1').where('token.authorizationId = parent.id');
  const empty = await tx
    .createQueryBuilder(Authorization, 'parent')
    .select('parent.id')
    .where({ id: In(ids) })
    .andWhere(`NOT EXISTS (${remaining.getQuery()})`)
    .getMany();
  if (empty.length === 0) return 0;
  const emptyIds = In(empty.map(({ id }) => id));
  const codes = await tx.delete(AuthorizationCode, { authorizationId: emptyIds });
  await tx.delete(Authorization, { id: emptyIds });
  return empty.length + (codes.affected ?? 0);
}
