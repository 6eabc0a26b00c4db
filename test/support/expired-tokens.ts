import { randomBytes } from 'node:crypto';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { createAccount, registerApp } from './factories.js';
import type { TestServer } from './test-server.js';
import { DAY_MS } from './fake-clock.js';

/** Inserts chains of refresh tokens that expired 70 days ago. */
export async function insertExpiredTokens(server: TestServer, chains: number, tokensOfEach: number): Promise<void> {
  const [account, { app }] = [await createAccount(server), await registerApp(server)];
  const [then, expiresAt] = [new Date(Date.now() - 100 * DAY_MS), new Date(Date.now() - 70 * DAY_MS)];
  const ids = Array.from({ length: chains }, () => generateId('aut'));
  const token = (authorizationId: string): Omit<RefreshToken, 'authorization'> => ({
    digest: randomBytes(32).toString('base64url'),
    authorizationId,
    issuedAt: then,
    expiresAt,
    usedAt: then,
    successorDigest: null,
  });
  await server.get(TransactionService).run(async (tx) => {
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
