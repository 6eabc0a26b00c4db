import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection on which a test sends and reads any data. */
export class RawConnection {
  /** The data received so far. */
  received = '';
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    this.closed = new Promise((closed) => socket.once('close', closed));
    socket.on('error', () => undefined); // 'close' follows
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  write(args: string): void {
    this.socket.write(args);
  }

  /** Stops reading, so that the response stays in the buffers. */
  pauseReading(): void {
    this.socket.pause();
  }

  /** Waits until the received data matches a pattern. */
  async waitForData(form: RegExp): Promise<void> {
    while (!form.test(this.received)) await once(this.socket, 'data');
  }

  destroy(): void {
    this.socket.destroy();
  }
}
