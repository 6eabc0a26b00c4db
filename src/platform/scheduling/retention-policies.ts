import { type EntityManager, In, IsNull, LessThan } from 'typeorm';
import { Session } from '../../identity/accounts/session.entity.js';
import { SignInAttemptCounter } from '../../identity/accounts/sign-in-attempt-counter.entity.js';
import { ATTEMPT_RETENTION_MS } from '../../identity/accounts/sign-in-throttle.service.js';
import { Authorization } from '../../identity/oauth/authorization.entity.js';
import { AuthorizationCode } from '../../identity/oauth/authorize/authorization-code.entity.js';
import { RefreshToken } from '../../identity/oauth/refresh-token.entity.js';
import { IdempotentResponse } from '../../identity/oauth/idempotent-response.entity.js';
import { ExpiredRowDeleter } from './expired-row-deleter.js';

/**
 * Milliseconds for which a code or a token is kept when it has expired, used or not: thirty days. So long an app is told
 * what became of it, and whoever revokes by it, or uses it twice, still ends what came of it.
 */
export const TOKEN_RETENTION_MS = 30 * 24 * 3600_000;

/**
 * All that goes by itself. What people allowed, what the audit keeps, and a chain of which any token is left stay; so does
 * the code that a chain came from, since it ends the chain when it is used again.
 */
export const RETENTION_POLICIES = [
  new ExpiredRowDeleter<SignInAttemptCounter>({
    entity: SignInAttemptCounter,
    where: (now) => ({ lastAttemptAt: LessThan(new Date(now - ATTEMPT_RETENTION_MS)) }),
    order: { lastAttemptAt: 'ASC' },
  }),
  new ExpiredRowDeleter<Session>({
    entity: Session,
    where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
    order: { expiresAt: 'ASC' },
  }),
  new ExpiredRowDeleter<IdempotentResponse>({
    entity: IdempotentResponse,
    where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
    order: { expiresAt: 'ASC' },
  }),
  new ExpiredRowDeleter<AuthorizationCode>({
    entity: AuthorizationCode,
    where: (now) => ({ authorizationId: IsNull(), expiresAt: LessThan(new Date(now - TOKEN_RETENTION_MS)) }),
    order: { expiresAt: 'ASC' },
  }),
  new ExpiredRowDeleter<RefreshToken>({
    entity: RefreshToken,
    where: (now) => ({ expiresAt: LessThan(new Date(now - TOKEN_RETENTION_MS)) }),
    order: { expiresAt: 'ASC' },
    afterDelete: deleteEmptyAuthorizations,
  }),
];

/** Of the chains that tokens were deleted of, deletes those with none left, and the codes that they came from. */
async function deleteEmptyAuthorizations(tx: EntityManager, deleted: RefreshToken[]): Promise<number> {
  const left = tx.createQueryBuilder(RefreshToken, 'token').select('1').where('token.authorizationId = chain.id');
  const empty = await tx
    .createQueryBuilder(Authorization, 'chain')
    .select('chain.id')
    .where({ id: In([...new Set(deleted.map(({ authorizationId }) => authorizationId))]) })
    .andWhere(`NOT EXISTS (${left.getQuery()})`)
    .getMany();
  if (empty.length === 0) return 0;
  const ids = In(empty.map(({ id }) => id));
  const codes = await tx.delete(AuthorizationCode, { authorizationId: ids });
  await tx.delete(Authorization, { id: ids });
  return empty.length + (codes.affected ?? 0);
}
