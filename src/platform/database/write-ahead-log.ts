import { type FileHandle, open } from 'node:fs/promises';
import type { DataSource } from 'typeorm';

/**
 * The file that SQLite writes commits to before it moves them into the database (WAL). SQLite itself would wait for the disk
 * at each commit, and all of the process with it (`synchronous = FULL`); so it is told not to (`NORMAL`), and the waiting is
 * done here, on another thread, before anybody is answered.
 */
export class WriteAheadLog {
  private lastFlush: Promise<void> = Promise.resolve();
  /** The flush that has not begun yet: all who come until then share it. */
  private pendingFlush: Promise<void> | undefined;
  private failure: unknown;

  private constructor(private readonly file: FileHandle) {}

  /** The log of the file that a connection has open. As long as it does, this file is it. */
  static async open(writer: DataSource): Promise<WriteAheadLog> {
    const [database] = await writer.query<{ file: string }[]>('PRAGMA database_list');
    return new WriteAheadLog(await open(`${database!.file}-wal`, 'r+'));
  }

  /** Ends when all that was committed until now is on the disk. */
  flush(): Promise<void> {
    return (this.pendingFlush ??= this.lastFlush = this.lastFlush.then(() => this.syncToDisk()));
  }

  /**
   * Once the disk has failed to take something, whatever is committed later stands on what may be lost. So from then on
   * nothing is to be begun, until the service is started again.
   * @throws what it failed with
   */
  assertWritable(): void {
    if (this.failure !== undefined) throw this.failure as Error;
  }

  async close(): Promise<void> {
    await this.lastFlush.catch(() => undefined);
    await this.file.close();
  }

  private async syncToDisk(): Promise<void> {
    this.pendingFlush = undefined;
    try {
      await this.file.datasync();
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
