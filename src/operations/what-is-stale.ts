import { type EntityManager, In, IsNull, LessThan } from 'typeorm';
import { Session } from '../accounts/session.entity.js';
import { SignInAttempts } from '../accounts/sign-in-attempts.entity.js';
import { FORGOTTEN } from '../accounts/sign-in-attempts.service.js';
import { Authorization } from '../oauth/authorization.entity.js';
import { AuthorizationCode } from '../oauth/authorize/authorization-code.entity.js';
import { RefreshToken } from '../oauth/refresh-token.entity.js';
import { SealedAnswer } from '../oauth/sealed-answer.entity.js';
import { StaleRows } from './stale-rows.js';

/**
 * Milliseconds for which a code or a token is kept when it has expired, used or not: thirty days. So long an app is told
 * what became of it, and whoever revokes by it, or uses it twice, still ends what came of it.
 */
export const KEPT = 30 * 24 * 3600_000;

/**
 * All that goes by itself. What people allowed, what the audit keeps, and a chain of which any token is left stay; so does
 * the code that a chain came from, since it ends the chain when it is used again.
 */
export const STALE = [
  new StaleRows<SignInAttempts>({
    entity: SignInAttempts,
    where: (now) => ({ lastAt: LessThan(new Date(now - FORGOTTEN)) }),
    order: { lastAt: 'ASC' },
  }),
  new StaleRows<Session>({
    entity: Session,
    where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
    order: { expiresAt: 'ASC' },
  }),
  new StaleRows<SealedAnswer>({
    entity: SealedAnswer,
    where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
    order: { expiresAt: 'ASC' },
  }),
  new StaleRows<AuthorizationCode>({
    entity: AuthorizationCode,
    where: (now) => ({ authorizationId: IsNull(), expiresAt: LessThan(new Date(now - KEPT)) }),
    order: { expiresAt: 'ASC' },
  }),
  new StaleRows<RefreshToken>({
    entity: RefreshToken,
    where: (now) => ({ expiresAt: LessThan(new Date(now - KEPT)) }),
    order: { expiresAt: 'ASC' },
    after: deleteEmptyChains,
  }),
];

/** Of the chains that tokens were deleted of, deletes those with none left, and the codes that they came from. */
async function deleteEmptyChains(tx: EntityManager, deleted: RefreshToken[]): Promise<number> {
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
