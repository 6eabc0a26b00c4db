import { type FileHandle, open } from 'node:fs/promises';
import type { DataSource } from 'typeorm';

/**
 * The write-ahead log (WAL) of an SQLite file. With `synchronous = FULL`, SQLite would block the
 * whole process at each commit until the disk has written. Therefore the connection uses
 * `synchronous = NORMAL`, and this class flushes the log in another thread before a request is
 * answered.
 */
export class WriteAheadLog {
  private lastFlush: Promise<void> = Promise.resolve();
  /** The next flush, if it has not started: all commits until then share it. */
  private pendingFlush: Promise<void> | undefined;
  private failure: unknown;

  private constructor(private readonly file: FileHandle) {}

  /**
   * Opens the log of the file that a connection has open. The log stays the same file for as long.
   */
  static async open(writer: DataSource): Promise<WriteAheadLog> {
    const [database] = await writer.query<{ file: string }[]>('PRAGMA database_list');
    return new WriteAheadLog(await open(`${database!.file}-wal`, 'r+'));
  }

  /** Resolves when everything that was committed before the call is on the disk. */
  flush(): Promise<void> {
    return (this.pendingFlush ??= this.lastFlush = this.lastFlush.then(() => this.syncToDisk()));
  }

  /**
   * Prevents writes after a failed flush: later commits could depend on lost ones. Only a restart
   * of the service ends this state.
   * @throws the error of the flush
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
