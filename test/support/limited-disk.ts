import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE_BUFFER = Buffer.alloc(2 ** 20);

/** What takes up the room of a full disk. */
const FILLER_FILE = 'ballast';

/** What lets us mount where we are not root: to be it in a namespace of users of our own. */
const USER_NAMESPACE_ARGS = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/** Mounts a disk of `$1` mebibytes at `$2`, says so, and keeps it until it is told to end. */
const MOUNT_SCRIPT = 'mount -t tmpfs -o size="$1"m tmpfs "$2" && echo mounted && exec cat';

/**
 * A disk of a few mebibytes that can be full. It is there for the processes started through it alone, and gone with the
 * last of them; so it needs no rights and leaves nothing behind.
 */
export class LimitedDisk {
  private constructor(
    private readonly mountProcess: ChildProcess,
    /** Where the disk is, for processes that are started through it. */
    readonly folder: string,
  ) {}

  static async mount(mebibytes: number): Promise<LimitedDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'street-art-disk-'));
    const keeper = spawn('unshare', [
      ...USER_NAMESPACE_ARGS,
      '--mount',
      'sh',
      '-c',
      MOUNT_SCRIPT,
      'sh',
      String(mebibytes),
      folder,
    ]);
    let problem = '';
    keeper.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()));
    const failed = once(keeper, 'exit').then(() => {
      throw new Error(`A small disk takes Linux, and root or user namespaces (unshare): ${problem}`);
    });
    await Promise.race([once(keeper.stdout, 'data'), failed]);
    return new LimitedDisk(keeper, folder);
  }

  /** The command through which a process is started that sees the disk. */
  get commandPrefix(): string[] {
    const users = USER_NAMESPACE_ARGS.length > 0 ? ['--user', '--preserve-credentials'] : [];
    return ['nsenter', '--target', String(this.mountProcess.pid), ...users, '--mount', '--'];
  }

  /** Copies a file from outside onto the disk. */
  async copyIn(file: string, name: string): Promise<void> {
    await cp(file, join(this.hostPath, name));
  }

  /** Copies all that the disk holds to a folder outside. */
  async copyOut(folder: string): Promise<void> {
    await cp(this.hostPath, folder, { recursive: true });
  }

  /** Leaves no room. */
  async fill(): Promise<void> {
    const ballast = await open(join(this.hostPath, FILLER_FILE), 'w');
    try {
      for (;;) await ballast.write(MEBIBYTE_BUFFER);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await ballast.close();
    }
  }

  /** Makes room again. */
  async freeSpace(): Promise<void> {
    await rm(join(this.hostPath, FILLER_FILE));
  }

  async unmount(): Promise<void> {
    const ended = once(this.mountProcess, 'exit');
    this.mountProcess.kill();
    await ended;
    await rm(this.folder, { recursive: true });
  }

  /** Where the disk is, for us. */
  private get hostPath(): string {
    return `/proc/${this.mountProcess.pid}/root${this.folder}`;
  }
}
