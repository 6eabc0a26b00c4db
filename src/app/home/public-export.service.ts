import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { ArtistFilesService } from '../../map/artists/artist-files.service.js';
import { MarkersExportService } from '../../map/markers/markers-export.service.js';
import { isInMemory, isSqlite } from '../../platform/config/database-url.js';
import { Settings } from '../../platform/config/settings.js';
import { type RecordPage, writeDraft } from '../../platform/database/record-files.js';
import { EventLogger } from '../../platform/logging/event-logger.js';

/** The public files. Their names are the last part of their addresses. */
export const PUBLIC_FILES = ['artworks.geojsonseq', 'artists.jsonl'] as const;
export type PublicFile = (typeof PUBLIC_FILES)[number];

/** A written file, compressed with gzip. */
export interface WrittenFile {
  path: string;
  /** Digest of the content, in hexadecimal. */
  digest: string;
  /** Number of compressed bytes. */
  size: number;
  writtenAt: Date;
}

const FIRST_CHECK_MS = 10_000;
const CHECK_INTERVAL_MS = 60_000;

/** Age from which a file is written again, and age from which it is not served. */
const REWRITE_AGE_MS = 6 * 3600_000;
const MAX_AGE_MS = 24 * 3600_000;

/** Age of a lock from which its process has crashed. A writer renews its lock with each page. */
const LOCK_EXPIRY_MS = 120_000;

/** Records of a statement: few, because SQLite runs it on the thread that responds to requests. */
const PAGE_SIZE = 100;

/**
 * Duration of the pause after a page, as a multiple of the time that the page took, while the
 * process is idle and while it responds to many requests.
 */
const IDLE_PAUSE_FACTOR = 1;
const BUSY_PAUSE_FACTOR = 20;

/** Share of the time in which the event loop of a busy process runs. */
const BUSY_UTILIZATION = 0.3;

/**
 * Writes the public files into a folder of this machine. One process of the machine writes them,
 * and all of them serve them. A file gets its name when it is complete.
 */
@Injectable()
export class PublicExportService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new EventLogger(PublicExportService.name, { public_export_written: 'info' });
  private readonly abortController = new AbortController();
  private readonly folder: string;
  /** Marks files with the license of the settings. */
  private readonly licenseKey: string;
  private timer: NodeJS.Timeout | undefined;
  private currentRun: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly markers: MarkersExportService,
    private readonly artists: ArtistFilesService,
  ) {
    this.folder = findFolder(settings);
    this.licenseKey = digestOf(JSON.stringify(settings.licenseMembers)).slice(0, 8);
  }

  onApplicationBootstrap(): void {
    if (this.settings.PUBLIC_EXPORT === 'on') this.schedule(FIRST_CHECK_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.abortController.abort();
    clearTimeout(this.timer);
    await this.currentRun;
  }

  /** Returns the newest file that is at most a day old. */
  async find(name: PublicFile): Promise<WrittenFile | undefined> {
    if (!(await this.isFolderOwn())) return undefined;
    const prefix = `${name}.${this.licenseKey}.`;
    const names = await readdir(this.folder).catch(() => []);
    const written: WrittenFile[] = [];
    for (const entry of names.filter((entry) => entry.startsWith(prefix) && entry.endsWith('.gz'))) {
      const path = join(this.folder, entry);
      const found = await stat(path).catch(() => undefined);
      const digest = entry.slice(prefix.length, -'.gz'.length);
      if (found) written.push({ path, digest, size: found.size, writtenAt: found.mtime });
    }
    const [newest] = written.sort((one, other) => other.writtenAt.getTime() - one.writtenAt.getTime());
    return newest && getAgeMs(newest) <= MAX_AGE_MS ? newest : undefined;
  }

  /**
   * Writes the files that are due, unless another process of this machine writes them.
   * @throws Error if another user can change the folder
   */
  async writeDue(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    if (!(await this.isFolderOwn()))
      throw new Error(`The folder ${this.folder} must belong to this user, and only to it.`);
    if ((await this.listDue()).length === 0) return;
    const lock = join(this.folder, 'lock');
    if (!(await takeLock(lock))) return;
    try {
      for (const name of await this.listDue()) await this.write(name, lock);
    } finally {
      if (await hasLock(lock)) await rm(lock, { force: true });
    }
  }

  /** Whether only the user of this process can change the folder. Other users could add files. */
  private async isFolderOwn(): Promise<boolean> {
    const found = await lstat(this.folder).catch(() => undefined);
    return found !== undefined && found.isDirectory() && found.uid === process.getuid!() && (found.mode & 0o022) === 0;
  }

  private async listDue(): Promise<PublicFile[]> {
    const found = await Promise.all(PUBLIC_FILES.map((name) => this.find(name)));
    return PUBLIC_FILES.filter((_, index) => !found[index] || getAgeMs(found[index]) >= REWRITE_AGE_MS);
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.currentRun = this.writeDue()
        .catch((error: unknown) => this.logFailure(error))
        .finally(() => {
          if (!this.abortController.signal.aborted) this.schedule(CHECK_INTERVAL_MS);
        });
    }, delayMs).unref();
  }

  private logFailure(error: unknown): void {
    if (this.abortController.signal.aborted) return;
    this.logger.log('scheduled_task_failed', 'A scheduled task failed.', { task: 'public-export', error });
  }

  private async write(name: PublicFile, lock: string): Promise<void> {
    const [startedAt, { signal }] = [performance.now(), this.abortController];
    const draft = join(this.folder, `${name}.${process.pid}.part`);
    const hash = createHash('sha256');
    let count = 0;
    const onRead = async (page: RecordPage): Promise<void> => {
      hash.update(page.text);
      count += page.count;
      await utimes(lock, new Date(), new Date()).catch(() => undefined);
    };
    await rm(draft, { force: true });
    const pages = name === 'artists.jsonl' ? this.artists.read(PAGE_SIZE) : this.readArtworks();
    await writeDraft(draft, readSlowly(pages, onRead, signal), { transforms: [createGzip()], signal });
    const file = `${name}.${this.licenseKey}.${hash.digest('hex').slice(0, 32)}.gz`;
    await rename(draft, join(this.folder, file));
    await this.deleteOthers(name, file);
    const duration_ms = Math.round(performance.now() - startedAt);
    this.logger.log('public_export_written', 'A file of the public export was written.', { name, count, duration_ms });
  }

  private readArtworks(): AsyncIterable<RecordPage> {
    return this.markers.read({ kind: 'artwork', pageSize: PAGE_SIZE });
  }

  /** Deletes older files, and drafts of crashed processes. */
  private async deleteOthers(name: PublicFile, newest: string): Promise<void> {
    const others = (await readdir(this.folder)).filter((entry) => entry.startsWith(`${name}.`) && entry !== newest);
    await Promise.all(others.map((entry) => rm(join(this.folder, entry), { force: true })));
  }
}

/** Reads pages, with pauses in which other requests run. */
async function* readSlowly(
  pages: AsyncIterable<RecordPage>,
  onRead: (page: RecordPage) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let startedAt = performance.now();
  let factor = IDLE_PAUSE_FACTOR;
  for await (const page of pages) {
    await onRead(page);
    yield page.text;
    const before = performance.eventLoopUtilization();
    await sleep((performance.now() - startedAt) * factor, undefined, { signal });
    const isBusy = performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION;
    factor = isBusy ? BUSY_PAUSE_FACTOR : IDLE_PAUSE_FACTOR;
    startedAt = performance.now();
  }
}

/** The content of a lock of this process. */
const LOCK_OWNER = `${hostname()} ${process.pid}`;

/** Returns whether this process got the lock. A lock of a crashed process is removed before. */
async function takeLock(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  const isExpired = found !== undefined && Date.now() - found.mtimeMs > LOCK_EXPIRY_MS;
  if (isExpired || (found && (await isOwnerGone(lock)))) await rm(lock, { force: true });
  await writeFile(lock, LOCK_OWNER, { flag: 'wx' }).catch(() => undefined);
  return hasLock(lock);
}

async function hasLock(lock: string): Promise<boolean> {
  return (await readOwner(lock)) === LOCK_OWNER;
}

/** Whether the process that took the lock ended, if it was on this machine. */
async function isOwnerGone(lock: string): Promise<boolean> {
  const [host, pid] = (await readOwner(lock)).split(' ');
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function readOwner(lock: string): Promise<string> {
  return readFile(lock, 'utf8').catch(() => '');
}

/** Beside an SQLite file; otherwise a temporary folder whose name other users cannot guess. */
function findFolder({ DATABASE_URL, MASTER_SECRET }: Settings): string {
  if (isSqlite(DATABASE_URL) && !isInMemory(DATABASE_URL)) return `${DATABASE_URL.slice('sqlite:'.length)}-export`;
  return join(tmpdir(), `street-art-export-${digestOf(JSON.stringify([MASTER_SECRET[0], DATABASE_URL])).slice(0, 32)}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function getAgeMs({ writtenAt }: WrittenFile): number {
  return Date.now() - writtenAt.getTime();
}
