import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE_BUFFER = Buffer.alloc(2 ** 20);

/** File that fills the disk. */
const FILLER_FILE = 'ballast';

/** A user namespace, which allows a mount without root. */
const USER_NAMESPACE_ARGS = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/** Mounts a disk of `$1` MiB at `$2`, prints `mounted`, and runs until its input ends. */
const MOUNT_SCRIPT = 'mount -t tmpfs -o size="$1"m tmpfs "$2" && echo mounted && exec cat';

/**
 * A tmpfs of a few MiB in its own mount namespace. Only processes with its command prefix see it,
 * and the kernel removes it after the last of them.
 */
export class LimitedDisk {
  private constructor(
    private readonly mountProcess: ChildProcess,
    /** The folder of the disk, for processes with the command prefix. */
    readonly folder: string,
  ) {}

  static async mount(mebibytes: number): Promise<LimitedDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'street-art-disk-'));
    await chmod(folder, 0o755);
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
      throw new Error(`A limited disk requires Linux, and root or user namespaces (unshare): ${problem}`);
    });
    await Promise.race([once(keeper.stdout, 'data'), failed]);
    return new LimitedDisk(keeper, folder);
  }

  /** The command that starts a process in the mount namespace of the disk. */
  get commandPrefix(): string[] {
    const users = USER_NAMESPACE_ARGS.length > 0 ? ['--user', '--preserve-credentials'] : [];
    return ['nsenter', '--target', String(this.mountProcess.pid), ...users, '--mount', '--'];
  }

  /** The command that starts a process as another user. It needs root. */
  getUserCommandPrefix(uid: number): string[] {
    return [...this.commandPrefix.slice(0, -1), '--setuid', String(uid), '--setgid', String(uid), '--'];
  }

  /** Creates a folder of a user on the disk. It needs root. @returns its path */
  async createUserFolder(name: string, uid: number): Promise<string> {
    await mkdir(join(this.hostPath, name));
    await chown(join(this.hostPath, name), uid, uid);
    return join(this.folder, name);
  }

  /** Copies a file to the disk. */
  async copyIn(file: string, name: string): Promise<void> {
    await cp(file, join(this.hostPath, name));
  }

  /** Copies the disk to a folder outside. */
  async copyOut(folder: string): Promise<void> {
    await cp(this.hostPath, folder, { recursive: true });
  }

  /** Fills the disk completely. */
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

  /** Deletes the filler file. */
  async freeSpace(): Promise<void> {
    await rm(join(this.hostPath, FILLER_FILE));
  }

  async unmount(): Promise<void> {
    const ended = once(this.mountProcess, 'exit');
    this.mountProcess.kill();
    await ended;
    await rm(this.folder, { recursive: true });
  }

  /** The folder of the disk as the test process reaches it. */
  private get hostPath(): string {
    return `/proc/${this.mountProcess.pid}/root${this.folder}`;
  }
}
