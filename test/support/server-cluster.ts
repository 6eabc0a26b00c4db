import { createDatabase, type TestDatabase } from './database.js';
import { ServerProcess } from './server-process.js';
import { createTempFolder } from './temp-folder.js';
import { TEST_SETTINGS } from './test-settings.js';
import { TestServer } from './test-server.js';

/** Server processes and one test server on the same database, with the same settings. */
export class ServerCluster {
  private constructor(
    readonly database: TestDatabase,
    /** The application in the test process: it creates accounts and tokens for the processes. */
    readonly testServer: TestServer,
    readonly processes: ServerProcess[],
    private readonly removeFolder: () => Promise<void>,
  ) {}

  /** Starts the test server first, which migrates the database, then the processes. */
  static async start({
    processes: count = 1,
    environment = {},
  }: { processes?: number; environment?: Record<string, string> } = {}): Promise<ServerCluster> {
    const [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
    const settings = { ...TEST_SETTINGS, DATABASE_URL: database.url };
    const testServer = await TestServer.start(settings);
    const processEnvironment = { ...settings, DEMO_DATA: 'off', ...environment };
    const processes = await Promise.all(
      Array.from({ length: count }, () => ServerProcess.start(folder.path, processEnvironment)),
    );
    return new ServerCluster(database, testServer, processes, folder.remove);
  }

  /** The first process. */
  get serverProcess(): ServerProcess {
    return this.processes[0]!;
  }

  /** The URLs of the processes. */
  get urls(): string[] {
    return this.processes.map(({ url }) => url);
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await Promise.all(this.processes.map((process) => process.waitForClose()));
    await this.testServer.stop();
    await this.database.drop();
    await this.removeFolder();
  }
}
