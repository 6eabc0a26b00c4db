import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { registerOpenResource } from './open-resources.js';

/** Debian installs servers into a folder that is not in the PATH of each user. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/** Milliseconds after which a program is killed. */
const TOOL_TIMEOUT_MS = 60_000;

/**
 * Runs a program of Debian to its end.
 * @returns its output
 * @throws Error with its output if it fails
 */
export async function runTool(program: string, ...args: string[]): Promise<string> {
  const options = { env, timeout: TOOL_TIMEOUT_MS, maxBuffer: 2 ** 24 };
  const { stdout, stderr } = await promisify(execFile)(program, args, options).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${program} failed: ${error.message}\n${error.stdout}\n${error.stderr}`);
    },
  );
  return stdout + stderr;
}

/** A server program that runs until it is stopped. */
export class ToolProcess {
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    const read = (chunk: Buffer): void => void (this.output += chunk.toString());
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
  }

  /** Starts a server and waits until it accepts connections on a port of the loopback interface. */
  static async start(port: number, program: string, ...args: string[]): Promise<ToolProcess> {
    const server = new ToolProcess(spawn(program, args, { env }));
    const unregister = registerOpenResource(() => server.stop());
    server.child.once('close', unregister);
    while (!(await acceptsConnections(port)))
      if (server.child.exitCode !== null) throw new Error(`${program} ended: ${server.output}`);
    return server;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await closed;
  }
}

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
