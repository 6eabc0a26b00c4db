import { createDatabase, type TestDatabase } from './database.js';
import { createTempFolder, ServerProcess } from './server-process.js';
import { TestServer } from './test-server.js';

/** A built service as a process, and this one on the same database, which makes what a test needs and takes the same tokens. */
export class ServerPair {
  private constructor(
    private readonly database: TestDatabase,
    private readonly folder: Awaited<ReturnType<typeof createTempFolder>>,
    readonly testServer: TestServer,
    readonly serverProcess: ServerProcess,
  ) {}

  static async start(environment: Record<string, string>): Promise<ServerPair> {
    const [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
    const here = await TestServer.start({ DATABASE_URL: database.url });
    const { BASE_URL, MASTER_SECRET } = here.settings;
    const shared = { DATABASE_URL: database.url, BASE_URL, MASTER_SECRET: MASTER_SECRET[0]!, DEMO_DATA: 'off' };
    const process = await ServerProcess.start(folder.path, { ...shared, ...environment });
    return new ServerPair(database, folder, here, process);
  }

  async stop(): Promise<void> {
    await this.serverProcess.stop();
    await this.serverProcess.waitForClose();
    await this.testServer.stop();
    await this.database.drop();
    await this.folder.remove();
  }
}
