import { type EntityManager, In, IsNull, LessThan } from 'typeorm';
import type { RetentionService } from '../../platform/scheduling/retention.service.js';
import { Authorization } from './authorization.entity.js';
import { AuthorizationCode } from './authorize/authorization-code.entity.js';
import { IdempotentResponse } from './idempotent-response.entity.js';
import { RefreshToken } from './refresh-token.entity.js';

/**
 * Time for which an expired code or token stays in the database: 30 days. During this time the
 * client gets the specific error, and a revocation or a reuse still revokes the authorization.
 */
const TOKEN_RETENTION_MS = 30 * 24 * 3600_000;

/**
 * Registers the retention policies of the OAuth tables. They delete no consent, and no
 * authorization that has a token. The code of such an authorization stays too, because its reuse
 * revokes the authorization. Unused codes are deleted before refresh tokens; the codes of
 * authorizations without tokens are deleted with the tokens.
 */
export function registerOAuthRetention(retention: RetentionService): void {
  retention.register({
    entity: IdempotentResponse,
    key: 'digest',
    where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
    order: { expiresAt: 'ASC' },
  });
  retention.register({
    entity: AuthorizationCode,
    key: 'digest',
    where: (now) => ({ authorizationId: IsNull(), expiresAt: LessThan(new Date(now - TOKEN_RETENTION_MS)) }),
    order: { expiresAt: 'ASC' },
  });
  retention.register({
    entity: RefreshToken,
    key: 'digest',
    where: (now) => ({ expiresAt: LessThan(new Date(now - TOKEN_RETENTION_MS)) }),
    order: { expiresAt: 'ASC' },
    afterDelete: deleteEmptyAuthorizations,
  });
}

/**
 * Deletes the authorizations that have no token left, and their codes.
 * @returns the number of deleted rows
 */
async function deleteEmptyAuthorizations(tx: EntityManager, deleted: RefreshToken[]): Promise<number> {
  const remaining = tx.createQueryBuilder(RefreshToken, 'token').select('1').where('token.authorizationId = parent.id');
  const empty = await tx
    .createQueryBuilder(Authorization, 'parent')
    .select('parent.id')
    .where({ id: In([...new Set(deleted.map(({ authorizationId }) => authorizationId))]) })
    .andWhere(`NOT EXISTS (${remaining.getQuery()})`)
    .getMany();
  if (empty.length === 0) return 0;
  const ids = In(empty.map(({ id }) => id));
  const codes = await tx.delete(AuthorizationCode, { authorizationId: ids });
  await tx.delete(Authorization, { id: ids });
  return empty.length + (codes.affected ?? 0);
}
