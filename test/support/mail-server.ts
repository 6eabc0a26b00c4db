import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { registerOpenResource } from './open-resources.js';

/** A message that the mail server received. */
export interface ReceivedMail {
  recipients: string[];
  /** The header fields by their names in lower case, unfolded. */
  headers: Record<string, string>;
  text: string;
  html: string;
  raw: string;
}

type MailServerOptions = Partial<SMTPServerOptions> & { port?: number };

/** A real mail server on this machine that keeps the received messages. */
export class MailServer {
  readonly messages: ReceivedMail[] = [];
  private readonly events = new EventEmitter();
  private readonly smtpServer: SMTPServer;
  private readonly unregister = registerOpenResource(() => this.stop());

  private constructor(options: SMTPServerOptions) {
    this.smtpServer = new SMTPServer({
      authOptional: true,
      logger: false, // otherwise it warns about its built-in certificate
      onData: (stream, { envelope }, respond) => {
        void this.receive(
          stream,
          envelope.rcptTo.map(({ address }) => address),
        ).then(() => respond(), respond);
      },
      ...options,
    });
    this.smtpServer.on('error', () => undefined); // a client that was killed
  }

  /** Starts a server on a port, or on a free one. */
  static async start({ port = 0, ...options }: MailServerOptions = {}): Promise<MailServer> {
    const server = new MailServer({ closeTimeout: 100, ...options });
    server.smtpServer.listen(port, '127.0.0.1');
    await once(server.smtpServer.server, 'listening');
    return server;
  }

  get port(): number {
    return (this.smtpServer.server.address() as AddressInfo).port;
  }

  /** The value of `SMTP_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Waits until this many messages arrived. @returns them */
  async waitForMessages(count = 1): Promise<ReceivedMail[]> {
    while (this.messages.length < count) await once(this.events, 'message');
    return this.messages;
  }

  /** Stops accepting connections. */
  async stop(): Promise<void> {
    this.unregister();
    await new Promise<void>((resolve) => this.smtpServer.close(resolve));
  }

  /** Reads and keeps a message, for an `onData` of a test. */
  async receive(stream: Readable, recipients: string[]): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    this.messages.push({ recipients, ...parseMessage(Buffer.concat(chunks).toString('latin1')) });
    this.events.emit('message');
  }
}

/** Parses a message with a text and an HTML part (RFC 2046 §5.1.4). */
function parseMessage(raw: string): Omit<ReceivedMail, 'recipients'> {
  const { headers, body } = splitHeaders(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  const parts = body.split(`--${boundary}`).map((part) => splitHeaders(part.replace(/^\r\n/, '')));
  const read = (type: string): string => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return part ? decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '') : '';
  };
  return { headers, text: read('text/plain'), html: read('text/html'), raw };
}

function splitHeaders(raw: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const fields = lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]);
  return { headers: Object.fromEntries(fields) as Record<string, string>, body: body.join('\r\n\r\n') };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Decodes a header field of encoded words (RFC 2047). */
export function decodeHeader(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeBody(text.replace(/_/g, ' '), 'quoted-printable'),
    );
}
