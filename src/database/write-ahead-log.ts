import { type FileHandle, open } from 'node:fs/promises';

/**
 * The file that SQLite writes commits to before it moves them into the database (WAL). SQLite itself would wait for the disk
 * at each commit, and all of the process with it (`synchronous = FULL`); so it is told not to (`NORMAL`), and the waiting is
 * done here, on another thread, before anybody is answered.
 */
export class WriteAheadLog {
  private last: Promise<void> = Promise.resolve();

  private constructor(private readonly file: FileHandle) {}

  /** @param database the path of a database that is open: as long as it is, its log is this file */
  static async of(database: string): Promise<WriteAheadLog> {
    return new WriteAheadLog(await open(`${database}-wal`, 'r+'));
  }

  /**
   * Ends when all that was committed until now is on the disk. Once the disk has failed to take something, whatever
   * is committed later stands on what may be lost: so from then on this fails, until the service is started again.
   */
  flush(): Promise<void> {
    this.last = this.last.then(() => this.file.datasync());
    return this.last;
  }

  async close(): Promise<void> {
    await this.last.catch(() => undefined);
    await this.file.close();
  }
}
