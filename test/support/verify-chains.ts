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
 * Whether chains kept what was promised: each token that was answered worked once, none works twice, and the database
 * holds nothing by halves. @returns whether all of them go on: a chain does, unless its client lost the answer to a refresh
 * that was done
 */
export async function verifyChains(chains: RefreshTokenChain[], url: string, databaseUrl: string): Promise<boolean> {
  const goOn = await Promise.all(chains.map((chain) => verifyChain(chain, url)));
  const dataSource = await new DataSource(createOrmConfig(databaseUrl, 'read')).initialize();
  try {
    for (const [at, chain] of chains.entries()) await expectLinearChain(dataSource.manager, chain, goOn[at]!);
  } finally {
    await dataSource.destroy();
  }
  return goOn.every(Boolean);
}

/** Presents all tokens of a chain, of which the newest may work. @returns whether it did */
async function verifyChain(chain: RefreshTokenChain, url: string): Promise<boolean> {
  const wasInDoubt = chain.isOutcomeUnknown;
  const outcome = await chain.refresh(url);
  const goesOn = typeof outcome === 'object' && outcome.status === 200;
  if (!goesOn)
    expect({ wasInDoubt, outcome }).toEqual({
      wasInDoubt: true,
      outcome: expect.objectContaining(ALREADY_USED_RESPONSE),
    });
  for (const token of chain.usedTokens)
    expect(await chain.presentToken(url, token)).toMatchObject(ALREADY_USED_RESPONSE);
  return goesOn;
}

/**
 * What the database holds of a chain is one line: of each used token one successor, of each successor one token before it,
 * and one unused at its end, which the client knows where the chain goes on, and else nobody does.
 */
export async function expectLinearChain(
  database: EntityManager,
  { usedTokens, currentToken }: RefreshTokenChain,
  goesOn: boolean,
): Promise<void> {
  const known = [...usedTokens, currentToken].map(computeDigest);
  const { authorizationId } = await database.findOneByOrFail(RefreshToken, { digest: known.at(-1)! });
  const rows = await database.findBy(RefreshToken, { authorizationId });
  const line = sortBySuccession(rows);
  expect(line).toEqual(goesOn ? known : [...known, expect.any(String)]);
  expect(rows).toHaveLength(line.length);
  for (const { digest, usedAt, successorDigest } of rows) {
    const isLast = digest === line.at(-1);
    expect([usedAt === null, successorDigest === null]).toEqual([isLast, isLast]);
  }
}

/** The digests of a chain from its first token on, each the successor of the one before. */
function sortBySuccession(rows: RefreshToken[]): string[] {
  const successors = new Map(rows.map(({ digest, successorDigest }) => [digest, successorDigest]));
  const isSuccessor = new Set(successors.values());
  const line = [...successors.keys()].filter((digest) => !isSuccessor.has(digest));
  expect(line).toHaveLength(1);
  for (let next = successors.get(line[0]!); next != null; next = successors.get(next)) line.push(next);
  return line;
}
