import { expect } from '@jest/globals';
import type { TestDatabase } from './database.js';
import { issueChains, type RefreshTokenChain } from './refresh-token-chain.js';
import { RefreshLoad } from './refresh-load.js';
import { ServerProcess } from './server-process.js';
import { UNAVAILABLE_RESPONSE } from './unavailable-response.js';
import { verifyChains } from './verify-chains.js';

/** A database, refresh token chains and a server process that a test disturbs. */
export class FaultScenario<Database extends TestDatabase = TestDatabase> {
  private constructor(
    readonly database: Database,
    public chains: RefreshTokenChain[],
    public server: ServerProcess,
  ) {}

  static async start<Database extends TestDatabase>(
    createDatabase: () => Promise<Database>,
    chainCount: number,
  ): Promise<FaultScenario<Database>> {
    const database = await createDatabase();
    const chains = await issueChains(database, chainCount);
    return new FaultScenario(database, chains, await ServerProcess.startOn(database.url));
  }

  /** Starts a new process on the same database. */
  async restart(): Promise<void> {
    this.server = await ServerProcess.startOn(this.database.url);
  }

  /**
   * Verifies chains against the current process and the database.
   * @returns whether every chain continues
   */
  verify(chains = this.chains): Promise<boolean> {
    return verifyChains(chains, this.server.url, this.database.url);
  }

  async stop(): Promise<void> {
    await this.server.stop('SIGKILL');
    for (const chain of this.chains) chain.close();
    await this.database.drop();
  }
}

/**
 * Breaks the database under load: every chain must end with the response for an unavailable
 * service.
 */
export async function breakUnderLoad(
  chains: RefreshTokenChain[],
  server: ServerProcess,
  act: () => Promise<void>,
): Promise<void> {
  const load = new RefreshLoad(chains, [server.url]);
  await load.waitForTokens(100);
  await act();
  expect(await load.outcomes).toEqual(chains.map(() => UNAVAILABLE_RESPONSE));
}
