import { expect } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import type { RefreshTokenChain } from './refresh-token-chain.js';

const ALREADY_USED_RESPONSE = {
  status: 400,
  body: { error: 'invalid_grant', error_description: expect.stringMatching(/already used/) },
};

/**
 * Verifies that each issued token works once, that no token works twice, and that the database has
 * no partial rotation.
 * @returns whether every chain continues; one does not when its client lost the response to a
 * refresh
 */
export async function verifyChains(chains: RefreshTokenChain[], url: string, databaseUrl: string): Promise<boolean> {
  const continuing = await Promise.all(chains.map((chain) => verifyChain(chain, url)));
  const dataSource = await new DataSource(createOrmConfig(databaseUrl, 'read')).initialize();
  try {
    for (const [index, chain] of chains.entries())
      await expectLinearChain(dataSource.manager, chain, continuing[index]!);
  } finally {
    await dataSource.destroy();
  }
  return continuing.every(Boolean);
}

/** Presents all tokens of a chain; only the newest one may work. @returns whether it did */
async function verifyChain(chain: RefreshTokenChain, url: string): Promise<boolean> {
  const wasInDoubt = chain.isOutcomeUnknown;
  const outcome = await chain.refresh(url);
  const continues = typeof outcome === 'object' && outcome.status === 200;
  if (!continues)
    expect({ wasInDoubt, outcome }).toEqual({
      wasInDoubt: true,
      outcome: expect.objectContaining(ALREADY_USED_RESPONSE),
    });
  for (const token of chain.usedTokens)
    expect(await chain.presentToken(url, token)).toMatchObject(ALREADY_USED_RESPONSE);
  return continues;
}

/**
 * Expects the stored tokens of a chain in one line: each used token has one successor, and the last
 * token is unused. The client has the last token if the chain continues.
 */
export async function expectLinearChain(
  database: EntityManager,
  { usedTokens, currentToken }: RefreshTokenChain,
  continues: boolean,
): Promise<void> {
  const known = [...usedTokens, currentToken].map(computeDigest);
  const { authorizationId } = await database.findOneByOrFail(RefreshToken, { digest: known.at(-1)! });
  const rows = await database.findBy(RefreshToken, { authorizationId });
  const line = sortBySuccession(rows);
  expect(line).toEqual(continues ? known : [...known, expect.any(String)]);
  expect(rows).toHaveLength(line.length);
  for (const { digest, usedAt, successorDigest } of rows) {
    const isLast = digest === line.at(-1);
    expect([usedAt === null, successorDigest === null]).toEqual([isLast, isLast]);
  }
}

/** Returns the digests of a chain in the order of succession. */
function sortBySuccession(rows: RefreshToken[]): string[] {
  const successors = new Map(rows.map(({ digest, successorDigest }) => [digest, successorDigest]));
  const isSuccessor = new Set(successors.values());
  const line = [...successors.keys()].filter((digest) => !isSuccessor.has(digest));
  expect(line).toHaveLength(1);
  for (let next = successors.get(line[0]!); next != null; next = successors.get(next)) line.push(next);
  return line;
}
