import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { FaultScenario } from '../support/fault-scenario.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { RefreshLoad } from '../support/refresh-load.js';
import type { RefreshTokenChain } from '../support/refresh-token-chain.js';
import { UNAVAILABLE_RESPONSE } from '../support/unavailable-response.js';

const CHAIN_COUNT = 9;

/** More reads of the map than a process has connections. */
const READ_COUNT = 30;

/** Milliseconds that a lock may delay the refreshes of other chains. */
const MAX_DELAY_MS = 500;

describe('Isolation of refreshes on PostgreSQL', () => {
  let scenario: FaultScenario<PostgresCluster>;
  let locker: pg.Client;
  let lockedChain: RefreshTokenChain;
  let load: RefreshLoad;
  let usualMs: number;

  beforeEach(async () => {
    scenario = await FaultScenario.start(() => PostgresCluster.start(), CHAIN_COUNT);
    const [first, ...others] = scenario.chains as [RefreshTokenChain, ...RefreshTokenChain[]];
    lockedChain = first;
    load = new RefreshLoad(others, [scenario.server.url]);
    await load.waitForMoreTokens(500); // compiles the code
    load.takeSlowest();
    await load.waitForMoreTokens(500);
    usualMs = load.takeSlowest();
    locker = new pg.Client({ connectionString: scenario.database.url });
    await locker.connect();
    await locker.query('BEGIN');
  });
  afterEach(async () => {
    await locker.end();
    await load.stop();
    await scenario.stop();
  });

  const expectNoDelay = (): void => expect(load.takeSlowest()).toBeLessThan(usualMs + MAX_DELAY_MS);

  it.each(['refresh_tokens', 'authorizations'])('a locked row of %s delays only its own chain', async (table) => {
    const selectId = `SELECT authorization_id FROM refresh_tokens WHERE digest = $1`;
    const [column, value] = table === 'refresh_tokens' ? ['digest', '$1'] : ['id', `(${selectId})`];
    const digest = Buffer.from(computeDigest(lockedChain.currentToken), 'base64url');
    const { rowCount } = await locker.query(`SELECT 1 FROM ${table} WHERE ${column} = ${value} FOR UPDATE`, [digest]);
    expect(rowCount).toBe(1);
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await lockedChain.refresh(scenario.server.url)).toEqual(UNAVAILABLE_RESPONSE);
    expectNoDelay();
    await locker.query('ROLLBACK');
    expect(await lockedChain.refresh(scenario.server.url)).toMatchObject({ status: 200 });
  });

  it('reads of the map that wait for a lock delay no refresh', async () => {
    const outcome = await lockedChain.refresh(scenario.server.url);
    const headers = { Authorization: `Bearer ${typeof outcome === 'object' && outcome.body.access_token}` };
    await locker.query('LOCK TABLE artists IN ACCESS EXCLUSIVE MODE');
    const reads = Array.from({ length: READ_COUNT }, () => fetch(`${scenario.server.url}/api/artists`, { headers }));
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expectNoDelay();
  });
});
