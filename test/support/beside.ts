import { newDatabase, type TestDatabase } from './database.js';
import { newFolder, StartedService } from './processes.js';
import { Service } from './service.js';

/** A built service as a process, and this one on the same database, which makes what a test needs and takes the same tokens. */
export class Beside {
  private constructor(
    private readonly database: TestDatabase,
    private readonly folder: Awaited<ReturnType<typeof newFolder>>,
    readonly here: Service,
    readonly process: StartedService,
  ) {}

  static async start(environment: Record<string, string>): Promise<Beside> {
    const [database, folder] = await Promise.all([newDatabase(), newFolder()]);
    const here = await Service.start({ DATABASE_URL: database.url });
    const { BASE_URL, MASTER_SECRET } = here.settings;
    const shared = { DATABASE_URL: database.url, BASE_URL, MASTER_SECRET: MASTER_SECRET[0]!, DEMO_DATA: 'off' };
    const process = await StartedService.in(folder.path, { ...shared, ...environment });
    return new Beside(database, folder, here, process);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.process.isGone();
    await this.here.stop();
    await this.database.drop();
    await this.folder.remove();
  }
}
