import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = Buffer.alloc(2 ** 20);

/** What takes up the room of a full disk. */
const BALLAST = 'ballast';

/** What lets us mount where we are not root: to be it in a namespace of users of our own. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/** Mounts a disk of `$1` mebibytes at `$2`, says so, and keeps it until it is told to end. */
const MOUNT = 'mount -t tmpfs -o size="$1"m tmpfs "$2" && echo mounted && exec cat';

/**
 * A disk of a few mebibytes that can be full. It is there for the processes started through it alone, and gone with the
 * last of them; so it needs no rights and leaves nothing behind.
 */
export class SmallDisk {
  private constructor(
    private readonly keeper: ChildProcess,
    /** Where the disk is, for processes that are started through it. */
    readonly folder: string,
  ) {}

  static async mount(mebibytes: number): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'street-art-disk-'));
    const keeper = spawn('unshare', [...AS_ROOT, '--mount', 'sh', '-c', MOUNT, 'sh', String(mebibytes), folder]);
    let problem = '';
    keeper.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
    const failed = once(keeper, 'exit').then(() => {
      throw new Error(`A small disk takes Linux, and root or user namespaces (unshare): ${problem}`);
    });
    await Promise.race([once(keeper.stdout, 'data'), failed]);
    return new SmallDisk(keeper, folder);
  }

  /** The command through which a process is started that sees the disk. */
  get through(): string[] {
    const users = AS_ROOT.length > 0 ? ['--user', '--preserve-credentials'] : [];
    return ['nsenter', '--target', String(this.keeper.pid), ...users, '--mount', '--'];
  }

  /** Copies a file from outside onto the disk. */
  async put(file: string, name: string): Promise<void> {
    await cp(file, join(this.seen, name));
  }

  /** Copies all that the disk holds to a folder outside. */
  async copyTo(folder: string): Promise<void> {
    await cp(this.seen, folder, { recursive: true });
  }

  /** Leaves no room. */
  async fill(): Promise<void> {
    const ballast = await open(join(this.seen, BALLAST), 'w');
    try {
      for (;;) await ballast.write(MEBIBYTE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await ballast.close();
    }
  }

  /** Makes room again. */
  async clear(): Promise<void> {
    await rm(join(this.seen, BALLAST));
  }

  async drop(): Promise<void> {
    const ended = once(this.keeper, 'exit');
    this.keeper.kill();
    await ended;
    await rm(this.folder, { recursive: true });
  }

  /** Where the disk is, for us. */
  private get seen(): string {
    return `/proc/${this.keeper.pid}/root${this.folder}`;
  }
}
