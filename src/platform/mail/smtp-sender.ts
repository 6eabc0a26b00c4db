import { createTransport } from 'nodemailer';
import { parseMailbox, parseSmtpUrl, type SmtpServerAddress } from '../config/mail-settings.js';
import type { Settings } from '../config/settings.js';
import { describeDeliveryError, isPermanentFailure } from './delivery-rules.js';
import type { DatedMessage, MailSender } from './mail-sender.js';

/** Milliseconds until the connection, the greeting, and each further response of the server. */
const CONNECTION_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

/** Delivers messages to the mail server of `SMTP_URL`. */
export class SmtpSender implements MailSender {
  private readonly transport: ReturnType<typeof createSmtpTransport>;
  private readonly password: string | undefined;

  constructor(
    smtpUrl: string,
    private readonly settings: Settings,
  ) {
    const server = parseSmtpUrl(smtpUrl);
    this.transport = createSmtpTransport(server);
    this.password = server.credentials?.password;
  }

  async send(
    { to, createdAt, language, unsubscribeUrl, ...message }: DatedMessage,
    signal: AbortSignal,
  ): Promise<void> {
    const from = parseMailbox(this.settings.MAIL_FROM)!;
    await this.transport.sendMail({
      ...message,
      from,
      to: { name: '', address: to },
      envelope: { from: from.address, to: [to] },
      date: createdAt,
      headers: {
        'Auto-Submitted': 'auto-generated',
        'Content-Language': language,
        ...(unsubscribeUrl !== undefined && buildUnsubscribeHeaders(unsubscribeUrl)),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
  }

  isPermanentFailure(error: unknown): boolean {
    return isPermanentFailure(error);
  }

  describe(error: unknown): string {
    return describeDeliveryError(error, this.password);
  }
}

/** Lets a mail client end messages of this kind with one request (RFC 8058 §3.1). */
function buildUnsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Uses TLS if the server offers it, and requires TLS before it sends a password. A server on the
 * same machine needs neither TLS nor a valid certificate.
 */
function createSmtpTransport({ host, port, isTls, credentials }: SmtpServerAddress) {
  const isLocal = /^(localhost|127\.[\d.]+|::1)$/i.test(host);
  return createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && !isLocal && credentials !== undefined,
    ...(isLocal && { tls: { rejectUnauthorized: false } }),
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
  });
}
