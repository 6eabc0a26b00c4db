import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a service on which a test says what it likes, and hears what it likes. */
export class RawConnection {
  /** All that was heard so far. */
  received = '';
  /** Once it is over, whoever ended it. */
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

  write(words: string): void {
    this.socket.write(words);
  }

  /** Reads no more: what comes from now on stays on its way. */
  pauseReading(): void {
    this.socket.pause();
  }

  /** Until something of this form was heard. */
  async waitForData(form: RegExp): Promise<void> {
    while (!form.test(this.received)) await once(this.socket, 'data');
  }

  destroy(): void {
    this.socket.destroy();
  }
}
