import { randomBytes } from 'node:crypto';
import { newId } from '../../src/database/ids.js';
import { Transactions } from '../../src/database/transactions.js';
import { Authorization } from '../../src/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/oauth/refresh-token.entity.js';
import { newAccount, newApp } from './factories.js';
import type { Service } from './service.js';
import { DAY } from './time.js';

/** So many chains of so many refresh tokens each, all long expired. */
export async function newStaleTokens(service: Service, chains: number, tokensOfEach: number): Promise<void> {
  const [account, { app }] = [await newAccount(service), await newApp(service)];
  const [then, expiresAt] = [new Date(Date.now() - 100 * DAY), new Date(Date.now() - 70 * DAY)];
  const ids = Array.from({ length: chains }, () => newId('aut'));
  const token = (authorizationId: string): Omit<RefreshToken, 'authorization'> => ({
    digest: randomBytes(32).toString('base64url'),
    authorizationId,
    issuedAt: then,
    expiresAt,
    usedAt: then,
    successorDigest: null,
  });
  await service.get(Transactions).run(async (tx) => {
    const parties = { accountId: account.id, appId: app.id };
    const granted = {
      ...parties,
      scopes: app.scopes,
      authTime: then,
      consentedAt: null,
      createdAt: then,
      revokedAt: null,
    };
    await tx.insert(
      Authorization,
      ids.map((id) => ({ id, ...granted })),
    );
    for (let count = 0; count < tokensOfEach; count++) await tx.insert(RefreshToken, ids.map(token));
  });
}
